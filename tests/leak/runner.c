/* SPDX-License-Identifier: MIT */
/* Looks for leaks in the tests alone. Criterion runs each test as a process of its own; the process
   that starts them sometimes keeps 48 bytes of Criterion's when several tests run at once. */
#include <stdlib.h>

int __lsan_is_turned_off(void); // LeakSanitizer asks it as a process ends

int __lsan_is_turned_off(void)
{
    return !getenv("BXFI_MAP"); // set in the processes of tests alone
}
