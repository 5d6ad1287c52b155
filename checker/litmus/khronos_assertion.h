/* SPDX-License-Identifier: MIT */
/* What Khronos' tests assert: that some execution of the test meets a predicate
 * of its formalisation in Alloy, or that none does.
 *
 *   predicate = ["NOCHAINS"] any
 *   any       = same { ("||" | "or") same }
 *   same      = if { ("<=>" | "iff") if }
 *   if        = all [("=>" | "implies") if]
 *   all       = not { ("&&" | "and") not }
 *   not       = { "!" | "not" } atom
 *   atom      = "(" any ")" | name "[X]" | ("no" | "some") dr | count
 *   count     = "#" counted compare number | number compare "#" counted
 *   counted   = dr | rs | "(" dr | rs ")"
 *   name      = "consistent" | "racefree" | "locordcomplete"
 *   dr        = ["X."] "dr"                     the data races
 *   rs        = ["X."] "rs"                     a release, and each operation of its release sequence
 *
 * All of these depend on three things: is the execution consistent, has it a data
 * race, and has `rs` as many pairs as the assertion asks, which may ask for one number
 * only?  `locordcomplete` is `racefree` in other words: dr is what locord and
 * mutordatom leave out of the pairs that locordcomplete wants in them.
 */
#ifndef LITSCOPE_LITMUS_KHRONOS_ASSERTION_H
#define LITSCOPE_LITMUS_KHRONOS_ASSERTION_H

#include "checker/litmus/litmus.h"

/* Reads what stands after SATISFIABLE or NOSOLUTION.  A predicate that says more
 * than is understood here is not an error: `unsupported` tells why; one that has
 * not come to its end is: `ended`. */
struct assertion assertion_parse(struct arena *arena, bool satisfiable, const char *text);

#endif
