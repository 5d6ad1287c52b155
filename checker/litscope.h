/* liblitscope: the parts of litscope for use from C.
 *
 *   #include <litscope.h>
 *   cc `pkg-config --cflags litscope` x.c `pkg-config --libs litscope`
 *
 * The parts and their headers, which are their manuals:
 *
 *   base/arena.h, base/diag.h   memory that is given back as a whole; source texts, messages
 *   litmus/litmus.h             litmus_parse: a text to a test
 *   cat/cat.h                   cat_load: a .cat model by name or path
 *   verdict/verdict.h           verdict_run: test and model to a verdict (states, counts, flags)
 *   report/log.h, report/why.h  a verdict as herd's log; why an outcome is forbidden
 *   mapping.h, target.h         compiler mappings, and the machines that they are for
 *   explore.h, verify.h         target_explore: what a machine does; verify_test: is a mapping sound
 *
 * Rules that hold for all: functions print nothing and end nothing, except that
 * running out of memory ends the process; errors come as diagnostics in a list
 * that the caller gives; results live in the caller's arena and are read-only.
 * Nothing is global: threads may work side by side, each with arenas of its
 * own, and share models.  Names may change until version 1.0.
 *
 * A whole program is tests/api/example.c.
 */
#ifndef LITSCOPE_H
#define LITSCOPE_H

#include "base/arena.h"
#include "base/diag.h"
#include "cat/cat.h"
#include "explore.h"
#include "litmus/litmus.h"
#include "mapping.h"
#include "report/log.h"
#include "report/why.h"
#include "target.h"
#include "verdict/verdict.h"
#include "verify.h"

#endif
