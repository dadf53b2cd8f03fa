#include "arena/site/page_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/season/mix.h"

static const char heading[] = "arena site keys 1 ";

enum {
    SUM_DIGITS = 16,
    LINE_BYTES_MAX = 1024,
};

uint64_t page_list_sum(uint64_t sum, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    sum = mix(sum, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        sum = mix(sum, word);
    }
    for (; size > 0; at++, size--)
        sum = mix(sum, *at);
    return sum;
}

void page_list_finish(struct page_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    free(list->slots);
    memset(list, 0, sizeof *list);
}

/* Returns the slot of a name, or the free slot where it belongs. There is always a free one. */
static uint32_t *slot_of(const struct page_list *list, const char *name)
{
    size_t at = page_list_sum(0, name, strlen(name)) & (list->slot_count - 1);

    while (list->slots[at] && strcmp(list->entries[list->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (list->slot_count - 1);
    return &list->slots[at];
}

static int grow(struct page_list *list)
{
    size_t room = list->room ? 2 * list->room : 256;
    struct page_entry *entries = realloc(list->entries, room * sizeof *entries);
    uint32_t *slots = entries ? calloc(2 * room, sizeof *slots) : NULL;

    if (entries)
        list->entries = entries;
    if (!slots)
        return -ENOMEM;
    free(list->slots);
    list->slots = slots;
    list->slot_count = 2 * room;
    list->room = room;
    for (size_t i = 0; i < list->count; i++)
        *slot_of(list, list->entries[i].name) = (uint32_t)i + 1;
    return 0;
}

int page_list_add(struct page_list *list, const struct page_entry *entry)
{
    struct page_entry *added;

    if (list->count == list->room && grow(list) < 0)
        return -ENOMEM;
    added = &list->entries[list->count];
    *added = *entry;
    added->name = strdup(entry->name);
    if (!added->name)
        return -ENOMEM;
    *slot_of(list, added->name) = (uint32_t)++list->count;
    return 0;
}

const struct page_entry *page_list_find(const struct page_list *list, const char *name)
{
    uint32_t index = list->count ? *slot_of(list, name) : 0;

    return index ? &list->entries[index - 1] : NULL;
}

bool page_list_equal(const struct page_list *list, const struct page_list *other)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct page_entry *entry = &list->entries[i];
        const struct page_entry *found = page_list_find(other, entry->name);

        if (!found || found->inode != entry->inode || found->key != entry->key)
            return false;
    }
    return list->count == other->count;
}

char *page_list_pack(const struct page_list *list, uint64_t form, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    bool failed;

    if (!stream)
        return NULL;
    fprintf(stream, "%s%016" PRIx64 "\n", heading, form);
    for (size_t i = 0; i < list->count; i++) {
        const struct page_entry *entry = &list->entries[i];

        fprintf(stream, "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n",
                entry->key, entry->sum, (uint64_t)entry->size, (uint64_t)entry->inode,
                (uint64_t)entry->changed_ns, entry->name);
    }
    fflush(stream);
    failed = ferror(stream);
    if (!failed)
        fprintf(stream, "%016" PRIx64 "\n", page_list_sum(form, text, *size));
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* Reads one line without its end. */
static bool read_line(struct page_list *list, char *line)
{
    uint64_t numbers[5];
    struct page_entry entry;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;

        numbers[i] = strtoull(line, &end, 16);
        if (end == line || *end != ' ')
            return false;
        line = end + 1;
    }
    entry = (struct page_entry){.name = line,
                                .key = numbers[0],
                                .sum = numbers[1],
                                .size = (int64_t)numbers[2],
                                .inode = (int64_t)numbers[3],
                                .changed_ns = (int64_t)numbers[4]};
    return *line && !page_list_find(list, line) && page_list_add(list, &entry) == 0;
}

/* True if the text ends with the checksum of all before it; *size is then the size without it. */
static bool is_whole(const char *text, size_t *size, uint64_t form)
{
    char sum[SUM_DIGITS + 2];

    if (*size < sizeof heading + 2 * (SUM_DIGITS + 1))
        return false;
    *size -= SUM_DIGITS + 1;
    snprintf(sum, sizeof sum, "%016" PRIx64 "\n", page_list_sum(form, text, *size));
    return memcmp(text + *size, sum, SUM_DIGITS + 1) == 0;
}

bool page_list_unpack(struct page_list *list, const char *text, size_t size, uint64_t form)
{
    char first[sizeof heading + SUM_DIGITS + 2], line[LINE_BYTES_MAX];
    size_t at;

    memset(list, 0, sizeof *list);
    snprintf(first, sizeof first, "%s%016" PRIx64 "\n", heading, form);
    at = strlen(first);
    if (!is_whole(text, &size, form) || size < at || memcmp(text, first, at) != 0)
        return false;
    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t bytes = end ? (size_t)(end - text) - at : 0;

        if (!end || bytes >= sizeof line)
            break;
        memcpy(line, text + at, bytes);
        line[bytes] = '\0';
        if (!read_line(list, line))
            break;
        at += bytes + 1;
    }
    if (at < size)
        page_list_finish(list);
    return at == size;
}

static int64_t changed_ns(const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

void page_entry_look(struct page_entry *entry, const struct stat *status)
{
    entry->size = status->st_size;
    entry->inode = (int64_t)status->st_ino;
    entry->changed_ns = changed_ns(status);
}

bool page_entry_looks_like(const struct page_entry *entry, const struct stat *status)
{
    return S_ISREG(status->st_mode) && entry->size == status->st_size &&
           entry->inode == (int64_t)status->st_ino && entry->changed_ns == changed_ns(status);
}
