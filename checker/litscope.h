/* SPDX-License-Identifier: MIT */
/* liblitscope: the parts of litscope for use from C and C++.
 *
 *   #include <litscope.h>
 *   cc x.c `pkg-config --cflags --libs litscope`
 *
 * What one does, and the headers, which are the manuals of the parts:
 *
 *   arena_new, diags_new        base/arena.h, base/diag.h: memory that is given back as a whole, source texts, messages
 *   litmus_parse                litmus/litmus.h: a text, of a file or of memory, to a test (program/program.h)
 *   cat_load, native_attach     cat/cat.h, native/native.h: a .cat model by name or path, and the part of C in it
 *   verdict_run                 verdict/verdict.h: test and model to a verdict: states, counts, flags
 *   enumerate                   exec/enumerate.h: below that, every execution (exec/execution.h) as it is found
 *   why_text                    explain/why.h: why an outcome is forbidden
 *   mapping_load, compile_program   mapping.h, compile.h: compiler mappings; a program's instructions
 *   machine_kinds               machines/kinds.h: the kinds of machines; gpu_knobs_load and the like read descriptions
 *   target_explore              target.h, explore.h: every outcome that a machine shows, and the run to it
 *   verify_test                 verify/verify.h: whether a mapping is sound for a test, or a shortest counterexample
 *   log_write, json_write_verdict   report/log.h, report/json.h: results as herd's log and as JSON
 *
 * In short:
 *
 *   struct arena *arena = arena_new();
 *   struct diags diags = diags_new(arena);
 *   const char *folders[] = {"/usr/share/litscope/models"};
 *   struct cat_search search = {.folders = folders, .folder_count = 1};
 *   struct cat_model *model = cat_load(arena, "opencl-rsp", &search, &diags);
 *   if (model) native_attach(model);
 *   const struct source *source = source_from_text(arena, "mp.litmus", text, strlen(text));
 *   const struct litmus_test *test = litmus_parse(arena, source, &(struct litmus_options){0}, &diags);
 *   if (!model || !test) ... diags.at[0 .. diags.count - 1].message, or diags_print(&diags, stderr) ...
 *   struct enumerate_options options = {.unroll = 2, .prune = true};
 *   const struct verdict *verdict = verdict_run(arena, test, model, &options, NULL);
 *   ... verdict->states.matching, verdict->states.at ...
 *   arena_free(arena);
 *
 * Rules that hold for all: functions print nothing (but for those that are
 * given a stream) and end nothing, except that running out of memory ends the
 * process; errors come as diagnostics in a list that the caller gives; results
 * live in the caller's arena and are read-only.  Who checks many tests frees an
 * arena after each, and keeps models in one that lasts.  Options that are zero
 * are no limits; `.unroll = 2, .prune = true` and `.por = true, .symmetry =
 * true` are what the program begins with.  Folders are given by the caller:
 * `pkg-config --variable=datadir litscope` names the installed one, with
 * models/ and mappings/ in it.
 *
 * Nothing is global: threads may work side by side, each with arenas of its
 * own, and share models and mappings.  Names may change until version 1.0.
 *
 * A whole program is tests/api/example.c.
 */
#ifndef LITSCOPE_H
#define LITSCOPE_H

/* The C library's headers come first: in C++ they have a linkage of their own. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "checker/cat/cat.h"
#include "checker/exec/enumerate.h"
#include "checker/explain/why.h"
#include "checker/litmus/litmus.h"
#include "checker/native/native.h"
#include "checker/report/json.h"
#include "checker/report/log.h"
#include "checker/verdict/verdict.h"
#include "checker/verify/verify.h"
#include "hwsem/compile.h"
#include "hwsem/explore.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/machines/sc.h"
#include "hwsem/mapping.h"
#include "hwsem/target.h"

#ifdef __cplusplus
}
#endif

#endif
