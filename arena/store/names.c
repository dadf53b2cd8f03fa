/* SPDX-License-Identifier: MIT */
#include "arena/store/names.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

#include "arena/base/library.h"
#include "arena/base/memory.h"
#include "arena/store/sql.h"

#define ICU_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(u_charType)                                                                           \
    FUNCTION(u_hasBinaryProperty)                                                                  \
    FUNCTION(u_isUWhiteSpace)                                                                      \
    FUNCTION(u_strToUTF32)                                                                         \
    FUNCTION(u_strFromUTF8)                                                                        \
    FUNCTION(u_strToUTF8)                                                                          \
    FUNCTION(unorm2_getNFCInstance)                                                                \
    FUNCTION(unorm2_getNFKCCasefoldInstance)                                                       \
    FUNCTION(unorm2_normalize)                                                                     \
    FUNCTION(uspoof_check)                                                                         \
    FUNCTION(uspoof_getSkeleton)                                                                   \
    FUNCTION(uspoof_open)                                                                          \
    FUNCTION(uspoof_setChecks)                                                                     \
    FUNCTION(uspoof_setRestrictionLevel)

enum {
    UNITS_MAX = 2048, /* of UTF-16, in a name and what becomes of it */
};

/* The names end with libicu's version: its headers define macros that say so. */
#define ICU_NAME(name) LIBRARY_NAME(name)

static struct {
    ICU_FUNCTIONS(LIBRARY_FIELD)
} icu;
static const char icu_names[] = ICU_FUNCTIONS(ICU_NAME);

static USpoofChecker *spoof;
static const UNormalizer2 *nfc, *folder;

static void load(void)
{
    UErrorCode error = U_ZERO_ERROR;

    if (!LIBRARY_LOAD(icu, "libicui18n.so." U_ICU_VERSION_SHORT))
        return;
    nfc = icu.unorm2_getNFCInstance(&error);
    folder = icu.unorm2_getNFKCCasefoldInstance(&error);
    spoof = icu.uspoof_open(&error);
    icu.uspoof_setChecks(spoof, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE, &error);
    icu.uspoof_setRestrictionLevel(spoof, USPOOF_HIGHLY_RESTRICTIVE);
    if (error == U_MEMORY_ALLOCATION_ERROR)
        memory_end();
    if (U_FAILURE(error))
        spoof = NULL;
}

/* Returns false if libicu is not installed. */
static bool is_loaded(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return spoof != NULL;
}

/* Writes the text that is the same for names that look alike. Returns false if there is none. */
static bool fold(const char *text, char *folded, int size)
{
    UChar one[UNITS_MAX], other[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t length;

    if (!is_loaded())
        return false;
    icu.u_strFromUTF8(one, UNITS_MAX, &length, text, -1, &error);
    length = icu.unorm2_normalize(folder, one, length, other, UNITS_MAX, &error);
    length = icu.uspoof_getSkeleton(spoof, 0, other, length, one, UNITS_MAX, &error);
    length = icu.unorm2_normalize(folder, one, length, other, UNITS_MAX, &error);
    icu.u_strToUTF8(folded, size, NULL, other, length, &error);
    return U_SUCCESS(error) && error != U_STRING_NOT_TERMINATED_WARNING;
}

/* Writes what Unicode's list of confusables makes of a name, in the case in which it stands. */
static bool take_skeleton(const char *name, char *skeleton, int size)
{
    UChar one[UNITS_MAX], other[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t length;

    icu.u_strFromUTF8(one, UNITS_MAX, &length, name, -1, &error);
    length = icu.uspoof_getSkeleton(spoof, 0, one, length, other, UNITS_MAX, &error);
    icu.u_strToUTF8(skeleton, size, NULL, other, length, &error);
    return U_SUCCESS(error) && error != U_STRING_NOT_TERMINATED_WARNING;
}

bool store_author_names_match(const char *name, const char *other)
{
    char one[3 * UNITS_MAX], two[3 * UNITS_MAX];

    return is_loaded() && take_skeleton(name, one, sizeof one) &&
           take_skeleton(other, two, sizeof two) && strcmp(one, two) == 0;
}

static bool has_odd_blank(const UChar *name, int32_t length)
{
    for (int32_t i = 0; i < length; i++)
        if (icu.u_isUWhiteSpace(name[i]) &&
            (name[i] != ' ' || i == 0 || i == length - 1 || name[i - 1] == ' '))
            return true;
    return false;
}

/* True for what cannot be seen, or has no meaning in Unicode. */
static bool has_invisible(const UChar *name, int32_t length)
{
    static const UChar32 braille_blank = 0x2800;
    UChar32 letters[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;

    icu.u_strToUTF32(letters, UNITS_MAX, &length, name, length, &error);
    for (int32_t i = 0; i < length && U_SUCCESS(error); i++)
        if (icu.u_hasBinaryProperty(letters[i], UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ||
            U_MASK(icu.u_charType(letters[i])) & U_GC_C_MASK || letters[i] == braille_blank)
            return true;
    return U_FAILURE(error);
}

bool store_author_name_read(const char *text, char name[static STORE_TEXT_BYTES_MAX + 1],
                            char fault[static NAME_FAULT_BYTES])
{
    static const char reserved[] = "author-";
    UChar given[UNITS_MAX], composed[UNITS_MAX];
    char folded[3 * UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    const char *words = NULL;
    int32_t length, found;

    if (!store_text_is_valid(text)) {
        words = "must be 1 to 64 bytes of UTF-8 without control characters and direction marks";
    } else if (!fold(text, folded, sizeof folded)) {
        words = "cannot be read: is libicu72 installed?";
    } else {
        icu.u_strFromUTF8(given, UNITS_MAX, &length, text, -1, &error);
        length = icu.unorm2_normalize(nfc, given, length, composed, UNITS_MAX, &error);
        icu.u_strToUTF8(name, STORE_TEXT_BYTES_MAX + 1, NULL, composed, length, &error);
        found = icu.uspoof_check(spoof, composed, length, NULL, &error);
        if (U_FAILURE(error) || error == U_STRING_NOT_TERMINATED_WARNING)
            words = "is longer than 64 bytes in NFC: choose a shorter name";
        else if (has_odd_blank(composed, length))
            words = "has a blank at its beginning or end, or more than one in a row: leave it out";
        else if (found & USPOOF_INVISIBLE || has_invisible(composed, length))
            words = "has an invisible character: leave the character out";
        else if (found)
            words = "mixes letters of several scripts, which can look like another name: use one";
        else if (strncmp(folded, reserved, strlen(reserved)) == 0)
            words = "begins with author-, as the names that the arena gives to erased authors do";
    }
    if (words)
        snprintf(fault, NAME_FAULT_BYTES, "%s", words);
    return !words;
}

bool store_author_key(const char *text, char key[static STORE_HASH_DIGITS + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    char folded[3 * UNITS_MAX];
    struct sha256_ctx hash;

    if (!fold(text, folded, sizeof folded))
        return false;
    sha256_init(&hash);
    sha256_update(&hash, strlen(folded), (const uint8_t *)folded);
    sha256_digest(&hash, sizeof digest, digest);
    base16_encode_update(key, sizeof digest, digest);
    key[STORE_HASH_DIGITS] = '\0';
    return true;
}

int store_author_adopt(struct store *store, char name[static STORE_TEXT_BYTES_MAX + 1])
{
    char key[STORE_HASH_DIGITS + 1], other[STORE_TEXT_BYTES_MAX + 1];
    char other_key[STORE_HASH_DIGITS + 1], fault[NAME_FAULT_BYTES];
    struct sql_rows rows;

    if (!store_author_key(name, key))
        return 0;
    if (store_author_name_read(name, other, fault))
        strcpy(name, other);
    sql_open(store, &rows,
             SQL("SELECT name, 0 FROM author UNION SELECT author, 1 FROM bot ORDER BY 2, 1"));
    while (sql_next(&rows)) {
        row_text(&rows, 0, other, sizeof other);
        if (!row_end(&rows) && store_author_key(other, other_key) && strcmp(key, other_key) == 0) {
            strcpy(name, other);
            break;
        }
    }
    return sql_close(&rows);
}
