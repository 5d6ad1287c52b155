/* SPDX-License-Identifier: MIT */
/* The options of herd7.  Of those that litscope does not have by their name, each with
 * what to do instead, or why there is nothing to do: what is answered when one is
 * given.  Of the others, what they do otherwise than in herd7.  `litscope help -format
 * herd` and the manual page list them. */
#ifndef LITSCOPE_CMD_HERD_OPTIONS_H
#define LITSCOPE_CMD_HERD_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Those that both have, X(name, difference); "": none is known. */
/* clang-format off */
#define HERD_SHARED_LIST(X) \
  X("I", "") \
  X("badexecs", "false also leaves out tests with flags that are races by their names") \
  X("badflag", "besides flags that are races by their names; the log counts bad executions, where herd7 says Undef") \
  X("bell", "") \
  X("candidates", "counts those visited, often fewer; with -prune false as many as herd7, except for values out of nothing") \
  X("cat", "") \
  X("checkfilter", "") \
  X("conds", "runs only the tests that the file lists") \
  X("conf", "also takes options that herd7 has on its command line alone") \
  X("cycles", "draws to -o; herd7 opens a viewer") \
  X("doshow", "") \
  X("excl", "") \
  X("exit", "the status is 2; herd7's is 1") \
  X("graph", "") \
  X("help", "") \
  X("hexa", "an int keeps 0xffffffff, which herd7 takes for -1; negative values of 64-bit types have 16 digits") \
  X("kinds", "runs only the tests that the file lists") \
  X("macros", "") \
  X("model", "also an installed model's name, and several; the default for C is rc11, herd7's c11_partialSC.cat") \
  X("names", "") \
  X("nshow", "limits pictures alone; herd7 then also stops counting") \
  X("o", "a file for each execution; herd7's is one for each test") \
  X("outcomereads", "a register that an execution does not set is 0 in its state; herd7 leaves it out") \
  X("q", "also leaves out warnings") \
  X("rename", "") \
  X("restrict", "") \
  X("show", "the default is prop, herd7's none") \
  X("showflag", "also flags of undefined_unless, by the check's name; herd7's is *undef*") \
  X("skipcheck", "a check that the model lacks is an error") \
  X("skipchecks", "a check that the model lacks is an error") \
  X("speedcheck", "Observation does not say Always of executions that were not looked for") \
  X("strictskip", "") \
  X("suffix", "after the test's name; model and number follow") \
  X("through", "invalid draws only what is coherent at every location; the counts are the same") \
  X("throughflag", "also flags of undefined_unless, by the check's name; herd7's is *undef*") \
  X("timeout", "the log says Undecided; herd7 leaves the test out") \
  X("unroll", "") \
  X("unshow", "") \
  X("v", "") \
  X("variant", "words that models ask for; herd7's of architectures have no meaning") \
  X("version", "")
/* clang-format on */

/* Kinds of answers: SAME has the same under another name, ALWAYS is so whatever
 * is asked for, NONE means nothing here, VIEW opens a viewer, LATER is missing. */
/* clang-format off */
#define HERD_OPTION_LIST(X) \
  X("archcheck", NONE, "models are for every language") \
  X("arrowsize", NONE, "DOT text can be edited") \
  X("boxscale", NONE, "boxes are as wide as their texts") \
  X("brackets", NONE, "locations of pictures are as in the test") \
  X("c11", SAME, "-model rc11") \
  X("classes", LATER, "boxes of pictures are those of scopes") \
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
  X("evince", VIEW, "-svg draws") \
  X("extrachars", NONE, "") \
  X("finalrfpos", NONE, "") \
  X("fixedsize", NONE, "") \
  X("fontname", NONE, "DOT text can be edited") \
  X("fontsize", NONE, "DOT text can be edited") \
  X("gv", VIEW, "-svg draws") \
  X("initpos", NONE, "") \
  X("initrfpos", NONE, "") \
  X("initwrites", NONE, "initial writes are events") \
  X("labelbox", NONE, "") \
  X("labelinit", NONE, "") \
  X("libdir", SAME, "`litscope list models` says where models are") \
  X("machsize", NONE, "there are no accesses of mixed size") \
  X("margin", NONE, "DOT text can be edited") \
  X("maxphantom", NONE, "of Power's old model") \
  X("mono", NONE, "") \
  X("morefences", NONE, "it does nothing in herd7 either") \
  X("movelabel", ALWAYS, "") \
  X("noid", NONE, "") \
  X("oneinit", NONE, "") \
  X("optace", SAME, "-prune true|false") \
  X("overlap", NONE, "") \
  X("pad", NONE, "DOT text can be edited") \
  X("penwidth", NONE, "DOT text can be edited") \
  X("preview", VIEW, "-svg draws") \
  X("ptscale", NONE, "") \
  X("relabel", NONE, "of Power and ARM") \
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
  X("showobserved", NONE, "") \
  X("showone", SAME, "-nshow 1") \
  X("showpo", NONE, "-unshow po leaves program order out") \
  X("showraw", LATER, "edges that follow from others are left out") \
  X("showthread", ALWAYS, "") \
  X("siwidth", NONE, "") \
  X("splines", NONE, "DOT text can be edited") \
  X("squished", ALWAYS, "as without -instructions") \
  X("statelessrc11", NONE, "no total order is enumerated that a model does not ask for") \
  X("switch", NONE, "") \
  X("symetric", LATER, "both edges of a pair are drawn") \
  X("texmacros", NONE, "") \
  X("threadposy", NONE, "") \
  X("view", VIEW, "-svg draws") \
  X("web", NONE, "") \
  X("withbox", NONE, "") \
  X("xscale", NONE, "SVG scales") \
  X("yscale", NONE, "SVG scales")
/* clang-format on */

/* What to say of an option of herd7 that litscope has not, such as `, herd's: `,
 * and what comes after it, `-o DIR -svg`; NULL: herd7 has none of that name. */
const char *herd_option_hint(const char *name);
const char *herd_option_text(const char *name);

/* Is it one of herd7's that change nothing here, ALWAYS or NONE; one that is missing, LATER or VIEW? */
bool herd_option_is_idle(const char *name);
bool herd_option_is_missing(const char *name);

/* Is it one without which herd7's other options say the same, so that `check` passes over it
 * with a warning (any but SAME)?  *takes_value: on herd7's command line a word follows it. */
bool herd_option_is_passed_over(const char *name, bool *takes_value);

/* All options of herd7, a line each: what litscope has. */
void herd_options_print(FILE *out);

/* Calls `tell` for each option that both have and that is otherwise here. */
void herd_options_each_difference(void (*tell)(const char *name, const char *difference, FILE *out), FILE *out);

#endif
