/* SPDX-License-Identifier: MIT */
/* Programs in the notation of the compiler families, as text:
 *
 *     Wxn Wyd | Ryd ! Rxn
 *     Wxdr Fdc Rydr | Wydr Fdc Rxdr
 *
 * An operation is its kind, location, scope and order.  Kinds: W store, R load,
 * U fetch_add, X exchange, C compare-exchange with 0, F fence (no location), B
 * work-group barrier (nothing else).  Locations: x y z u v w, and a b in local
 * memory.  Scopes: n ordinary, w work-group, d device, s all devices.  Orders: r
 * relaxed, c seq_cst, q acquire, l release, a acquire-release; none: a load
 * acquires, a store releases, the others do both.  `!` guards the rest of its
 * thread by what was read last not being 0, `=` by its being 0.  The k-th
 * operation that writes writes, or adds, 2 to the k.
 */
#ifndef LITSCOPE_VERIFY_NOTATION_H
#define LITSCOPE_VERIFY_NOTATION_H

#include "checker/litmus/litmus.h"

/* The program as a test that observes every register and global location;
 * `groups` has the work-group of each thread, as "0,0,1".  NULL, with `*at` at
 * the place: it is not well formed. */
struct litmus_test *notation_test(struct arena *arena, const char *text, const char *groups, const char **at);

#endif
