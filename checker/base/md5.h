/* SPDX-License-Identifier: MIT */
/* MD5 (R. Rivest, RFC 1321): no protection against anybody, but the digest by
 * which herd7 tells tests apart. */
#ifndef LITSCOPE_BASE_MD5_H
#define LITSCOPE_BASE_MD5_H

#include <stddef.h>

enum { MD5_SIZE = 16 };

/* Writes the digest of `size` bytes. */
void md5(const void *data, size_t size, unsigned char digest[MD5_SIZE]);

#endif
