/* SPDX-License-Identifier: MIT */
/* Writes one byte and exits. */
#include <unistd.h>

int main(void)
{
    return write(STDOUT_FILENO, "x", 1) == 1 ? 0 : 1;
}
