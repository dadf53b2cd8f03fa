/* SPDX-License-Identifier: MIT */
#include "arena/base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/clock.h"
#include "arena/base/memory.h"
#include "sdk/wire.h"

json_t *json_text(const char *text, size_t size)
{
    char *whole = memory_need(3 * size + 1); /* an invalid byte becomes U+FFFD, which has 3 bytes */
    size_t whole_bytes = 0;
    json_t *string;

    while (size > 0) {
        uint32_t code;
        size_t count = wire_character(text, size, &code);

        memcpy(whole + whole_bytes, count ? text : "\xef\xbf\xbd", count ? count : 3);
        whole_bytes += count ? count : 3;
        count = count ? count : 1;
        text += count;
        size -= count;
    }
    string = json_stringn(whole, whole_bytes);
    free(whole);
    return string;
}

json_t *json_hex(const uint8_t *bytes, size_t size)
{
    char *hex = memory_need(2 * size + 1);
    json_t *string;

    for (size_t i = 0; i < size; i++)
        sprintf(hex + 2 * i, "%02x", bytes[i]);
    string = json_stringn(hex, 2 * size);
    free(hex);
    return string;
}

json_t *json_time(int64_t us)
{
    char text[CLOCK_TIME_BYTES];

    clock_write_time(us, text);
    return *text ? json_string(text) : json_null();
}

json_t *json_time_or_null(int64_t us)
{
    return us ? json_time(us) : json_null();
}

json_t *json_ints(const int *numbers, int count)
{
    json_t *array = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(numbers[i]));
    return array;
}

FILE *json_words_begin(struct json_words *words)
{
    words->text = NULL;
    return words->stream = memory_stream(&words->text, &words->size);
}

json_t *json_words_take(struct json_words *words)
{
    json_t *json;

    memory_stream_flush(words->stream);
    json = json_stringn(words->text, words->size); /* NULL: invalid UTF-8 */
    if (!json)
        json = json_text(words->text, words->size);
    rewind(words->stream);
    return json;
}

json_t *json_words_end(struct json_words *words)
{
    json_t *json = json_words_take(words);

    fclose(words->stream);
    free(words->text);
    return json;
}
