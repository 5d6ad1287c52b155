/* SPDX-License-Identifier: MIT */
/* The options of herd7 that litscope does not have by their name, each with what
 * to do instead, or why there is nothing to do: what is answered when one is
 * given, and `litscope help -format herd`, which lists all of herd7's. */
#ifndef LITSCOPE_CMD_HERD_OPTIONS_H
#define LITSCOPE_CMD_HERD_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Kinds of answers: SAME has the same under another name, ALWAYS is so whatever
 * is asked for, NONE means nothing here, LATER is missing. */
/* clang-format off */
#define HERD_OPTION_LIST(X) \
  X("archcheck", NONE, "models are for every language") \
  X("arrowsize", NONE, "DOT text can be edited") \
  X("boxscale", NONE, "boxes are as wide as their texts") \
  X("brackets", NONE, "locations of pictures are as in the test") \
  X("c11", SAME, "-model rc11") \
  X("cat", SAME, "-model FILE.cat") \
  X("checkname", SAME, "-names FILE") \
  X("classes", LATER, "boxes of pictures are those of scopes") \
  X("cycles", SAME, "-through invalid, which counts what a check rejects, and draws the cycle") \
  X("debug", SAME, "-dump program|model, -v, -stats") \
  X("dotcom", NONE, "-svg draws without another program") \
  X("dotheader", NONE, "DOT text can be edited") \
  X("dotmode", NONE, "") \
  X("dsiy", NONE, "places are computed") \
  X("dumpallfaults", NONE, "there are no faults") \
  X("dumpes", SAME, "-o DIR -show all") \
  X("edgeattr", NONE, "DOT text can be edited") \
  X("edgefontsizedelta", NONE, "") \
  X("edgemerge", NONE, "") \
  X("endian", NONE, "there are no accesses of mixed size") \
  X("evince", SAME, "-o DIR -svg") \
  X("exit", SAME, "the status is 2 where a test is bad; all tests are run") \
  X("extrachars", NONE, "") \
  X("finalrfpos", NONE, "") \
  X("fixedsize", NONE, "") \
  X("fontname", NONE, "DOT text can be edited") \
  X("fontsize", NONE, "DOT text can be edited") \
  X("gv", SAME, "-o DIR -svg") \
  X("initpos", NONE, "") \
  X("initrfpos", NONE, "") \
  X("initwrites", NONE, "initial writes are events") \
  X("labelbox", NONE, "") \
  X("labelinit", NONE, "") \
  X("libdir", SAME, "`litscope models` says where models are") \
  X("machsize", NONE, "there are no accesses of mixed size") \
  X("margin", NONE, "DOT text can be edited") \
  X("maxphantom", NONE, "of Power's old model") \
  X("mono", NONE, "") \
  X("movelabel", ALWAYS, "") \
  X("noid", NONE, "") \
  X("oneinit", NONE, "") \
  X("optace", SAME, "-prune true|false") \
  X("outcomereads", SAME, "verify -strict compares what each load reads") \
  X("overlap", NONE, "") \
  X("pad", NONE, "DOT text can be edited") \
  X("penwidth", NONE, "DOT text can be edited") \
  X("preview", SAME, "-o DIR -svg") \
  X("ptscale", NONE, "") \
  X("relabel", NONE, "of Power and ARM") \
  X("restrict", NONE, "") \
  X("scale", NONE, "SVG scales") \
  X("sep", NONE, "") \
  X("set-libdir", SAME, "-I DIR or LITSCOPE_LIB") \
  X("shift", NONE, "places are computed") \
  X("shortlegend", NONE, "") \
  X("showevents", NONE, "all events but initial writes are drawn") \
  X("showfinalrf", NONE, "") \
  X("showinitrf", NONE, "reads of initial values say so") \
  X("showinitwrites", NONE, "drawn where an edge needs them") \
  X("showkind", NONE, "") \
  X("showlegend", ALWAYS, "") \
  X("showobserved", NONE, "") \
  X("showone", SAME, "-nshow 1") \
  X("showpo", SAME, "-unshow po") \
  X("showraw", LATER, "edges that follow from others are left out") \
  X("showthread", ALWAYS, "") \
  X("siwidth", NONE, "") \
  X("splines", NONE, "DOT text can be edited") \
  X("squished", ALWAYS, "as without -instructions") \
  X("statelessrc11", NONE, "no total order is enumerated that a model does not ask for") \
  X("suffix", NONE, "pictures are called by test, model and number; -o names their folder") \
  X("switch", NONE, "") \
  X("symetric", LATER, "both edges of a pair are drawn") \
  X("texmacros", NONE, "") \
  X("threadposy", NONE, "") \
  X("tikz", LATER, "-svg, which other tools convert") \
  X("view", SAME, "-o DIR -svg") \
  X("web", NONE, "") \
  X("withbox", NONE, "") \
  X("xscale", NONE, "SVG scales") \
  X("yscale", NONE, "SVG scales")
/* clang-format on */

/* What to say of an option of herd7 that litscope has not, such as `, herd's: `,
 * and what comes behind it, `-o DIR -svg`; NULL: herd7 has none of that name. */
const char *herd_option_hint(const char *name);
const char *herd_option_text(const char *name);

/* Is it one of herd7's that change nothing here, ALWAYS or NONE? */
bool herd_option_is_idle(const char *name);

/* All options of herd7, a line each: what litscope has. */
void herd_options_print(FILE *out);

#endif
