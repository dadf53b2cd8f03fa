/* SPDX-License-Identifier: MIT */
/* A bot.json from a stranger: it is refused with a line, or its texts may be shown. */
#include <stdlib.h>
#include <string.h>

#include "arena/play/package.h"
#include "arena/trial/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char error[MANIFEST_ERROR_BYTES] = "";
    struct manifest manifest;

    if (manifest_parse(&manifest, (const char *)bytes, size, error) < 0) {
        require(*error);
        return 0;
    }
    require(manifest.run && manifest.run[0]);
    require(check_manifest(&manifest, error) ? *manifest.name != '\0' : *error != '\0');
    manifest_finish(&manifest);
    return 0;
}
