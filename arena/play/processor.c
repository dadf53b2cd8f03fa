#include "arena/play/processor.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* Copies a text, cut to size; what is not printable ASCII becomes a space. */
static void copy_text(char *target, size_t size, const char *text)
{
    size_t length = 0;

    for (; text[length] && text[length] != '\n' && length + 1 < size; length++)
        target[length] = (unsigned char)text[length] < 0x20 || (unsigned char)text[length] >= 0x7f
                             ? ' '
                             : text[length];
    target[length] = '\0';
}

void processor_model(char *model, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    struct utsname system;
    char line[256];

    *model = '\0';
    while (file && !*model && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');

        if (colon && colon[1] == ' ' &&
            (strncmp(line, "model name", 10) == 0 || strncmp(line, "Model", 5) == 0))
            copy_text(model, size, colon + 2);
    }
    if (file)
        fclose(file);
    if (!*model)
        copy_text(model, size, uname(&system) == 0 && *system.machine ? system.machine : "?");
}
