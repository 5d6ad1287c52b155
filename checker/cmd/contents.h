/* SPDX-License-Identifier: MIT */
/* What a call reads, in one word: so that parts of a sweep over files that have been
 * changed since are not taken for those of this one. */
#ifndef LITSCOPE_CMD_CONTENTS_H
#define LITSCOPE_CMD_CONTENTS_H

#include "checker/cmd/command.h"

/* A digest of the contents of the call's tests, of its models with all that they
 * include, and of what other options read; in the call's arena.  Files that cannot be
 * read count as empty: somebody else says so. */
const char *contents_digest(const struct invocation *call);

#endif
