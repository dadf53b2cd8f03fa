#include "sandbox/program_image.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define CARRY(name, path)                                                                          \
    __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path "\"\n" #name                 \
            "_end:\n.popsection\n");                                                               \
    extern const char name##_start[], name##_end[]

CARRY(keeper_image, KEEPER_PATH);
CARRY(attempt_image, ATTEMPT_PATH);

static int open_image(const char *name, const char *start, const char *end)
{
    ssize_t size_bytes = end - start;
    int image_fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = 0;

    if (image_fd < 0)
        return -errno;
    errno = EIO;
    if (write(image_fd, start, (size_t)size_bytes) != size_bytes ||
        fcntl(image_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
        error = errno;
    if (error) {
        close(image_fd);
        return -error;
    }
    return image_fd;
}

int program_image_keeper(void)
{
    return open_image("keeper", keeper_image_start, keeper_image_end);
}

int program_image_attempt(void)
{
    return open_image("attempt", attempt_image_start, attempt_image_end);
}
