/* SPDX-License-Identifier: MIT */
/* What a call reads, in one word: so that parts of a sweep over files that have been
 * changed since are not taken for those of this one. */
#ifndef LITSCOPE_CMD_INPUT_DIGEST_H
#define LITSCOPE_CMD_INPUT_DIGEST_H

#include "checker/cmd/command.h"

/* A digest of the contents of all files that have been read by now, of the call's tests, and of its compilers; in the
 * call's arena.  Files that cannot be read again count as empty: somebody else says so. */
const char *contents_digest(const struct invocation *call);

#endif
