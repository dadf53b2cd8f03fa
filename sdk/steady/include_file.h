/* SPDX-License-Identifier: MIT */
/*
 * Has the assembler include a file in the program, or in a WebAssembly module, as read-only data
 * between the symbols `name` and `name`_end. INCLUDE_FILE stands at file scope; its path is
 * absolute, or relative to the folder in which the compiler runs.
 */
#ifndef SDK_STEADY_INCLUDE_FILE_H
#define SDK_STEADY_INCLUDE_FILE_H

#ifdef __wasm__
#define INCLUDE_FILE_BEGIN(name)                                                                   \
    ".section .rodata." name ",\"\",@\n.type " name ",@object\n.type " name "_end,@object\n"
#define INCLUDE_FILE_END(name) ".size " name "," name "_end-" name "\n.size " name "_end,0\n"
#else
#define INCLUDE_FILE_BEGIN(name) ".pushsection .rodata\n"
#define INCLUDE_FILE_END(name)   ".popsection\n"
#endif

/* clang-format off */
#define INCLUDE_FILE(name, path)       \
    __asm__(INCLUDE_FILE_BEGIN(#name)  \
            ".globl " #name "\n"       \
            ".globl " #name "_end\n"   \
            ".hidden " #name "\n"      \
            ".hidden " #name "_end\n"  \
            ".balign 64\n"             \
            #name ":\n"                \
            ".incbin \"" path "\"\n"   \
            #name "_end:\n"            \
            INCLUDE_FILE_END(#name))
/* clang-format on */

#endif
