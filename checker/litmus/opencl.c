/* SPDX-License-Identifier: MIT */
/* The OpenCL and C dialects.  Their grammar is in cparse.c and init.c, their
 * words in cwords.c; what the two languages do not share is decided there by
 * `language`. */
#include "checker/litmus/ast.h"
#include "checker/litmus/macros.h"

static void parse(struct draft *draft) {
  draft_parse_init(draft);
  if (draft->options->macros && draft->dialect->language == LANG_C && !draft->reader.failed)
    macros_expand(draft->options->macros, &draft->reader);
  c_parse_threads(draft);
}

static const char *const opencl_words[] = {"OpenCL", "OPENCL", NULL};
static const char *const c_words[] = {"C", "C11", NULL};

const struct dialect opencl_dialect = {
    .words = opencl_words,
    .language = LANG_OPENCL,
    .name = "OpenCL",
    .model = "opencl-rsp",
    .scoped = true,
    .barriers = true,
    .remote = true,
    .may_keep_expected = true, /* as the 2015 herd does */
    .free_values = true,
    .parse = parse,
    .lower = c_lower_threads,
};

const struct dialect c_dialect = {
    .words = c_words,
    .language = LANG_C,
    .name = "C",
    .model = "rc11",
    .free_values = true,
    .parse = parse,
    .lower = c_lower_threads,
};
