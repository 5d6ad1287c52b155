/* SPDX-License-Identifier: MIT */
/* Files of the repository as part of the program. */
#ifndef LITSCOPE_BASE_EMBED_H
#define LITSCOPE_BASE_EMBED_H

#ifdef __wasm__
#define EMBED_BEGIN(symbol) ".section .rodata." symbol ",\"\",@\n.type " symbol ",@object\n"
#define EMBED_END(symbol) ".size " symbol ", .-" symbol "\n.text\n"
#else
#define EMBED_BEGIN(symbol) ".section .rodata\n"
#define EMBED_END(symbol) ".previous\n"
#endif

/* Declares `extern const char name[]`: the text of the file, a literal, with a NUL
 * after it.  Once in the program. */
#define EMBED_TEXT(name, file)                                                                   \
  __asm__(EMBED_BEGIN(#name) ".global " #name "\n.hidden " #name "\n" #name ":\n.incbin \"" file \
                             "\"\n.byte 0\n" EMBED_END(#name));                                  \
  extern const char name[] __attribute__((visibility("hidden")));

#endif
