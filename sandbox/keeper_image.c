#include "sandbox/keeper_image.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

__asm__(".pushsection .rodata\n"
        "keeper_image_start:\n"
        ".incbin \"" KEEPER_PATH "\"\n"
        "keeper_image_end:\n"
        ".popsection\n");

extern const char keeper_image_start[], keeper_image_end[];

int keeper_image_open(void)
{
    ssize_t size_bytes = keeper_image_end - keeper_image_start;
    int image_fd = memfd_create("keeper", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = 0;

    if (image_fd < 0)
        return -errno;
    errno = EIO;
    if (write(image_fd, keeper_image_start, (size_t)size_bytes) != size_bytes ||
        fcntl(image_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
        error = errno;
    if (error) {
        close(image_fd);
        return -error;
    }
    return image_fd;
}
