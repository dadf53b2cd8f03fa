/* SPDX-License-Identifier: MIT */
/* What a stranger packed: it is converted to a package, which converts to itself, or is refused. */
#include "arena/store/archive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    MOST_BYTES = 1 << 16,     /* of the files */
    PACKAGE_BYTES = 12 << 20, /* of the package, with headers of entries without content */
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Converts `from` to the emptied file `to`. Returns the package's size, or an archive_result. */
static ssize_t convert(int from, int to)
{
    const struct archive_bounds bounds = {.entries_max = 20000};
    char error[ARCHIVE_ERROR_BYTES] = "";
    int result;

    require(ftruncate(to, 0) == 0 && lseek(to, 0, SEEK_SET) == 0);
    result = archive_convert(from, to, MOST_BYTES, &bounds, error);
    require(result == 0 || *error);
    return result < 0 ? result : lseek(to, 0, SEEK_CUR);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t first[PACKAGE_BYTES], second[PACKAGE_BYTES];
    static int files[3];
    ssize_t package;

    for (int i = 0; i < 3 && !files[2]; i++)
        files[i] = memfd_create("archive", MFD_CLOEXEC);
    require(ftruncate(files[0], 0) == 0 && pwrite(files[0], bytes, size, 0) == (ssize_t)size);
    package = convert(files[0], files[1]);
    if (package < 0)
        return 0;
    require(package <= PACKAGE_BYTES && convert(files[1], files[2]) == package);
    require(pread(files[1], first, (size_t)package, 0) == package);
    require(pread(files[2], second, (size_t)package, 0) == package);
    require(memcmp(first, second, (size_t)package) == 0);
    return 0;
}
