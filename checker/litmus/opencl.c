/* SPDX-License-Identifier: MIT */
/* The OpenCL and C dialects.  Their grammar is in c_parse.c and init.c, their
 * words in c_words.c; what the two languages do not share is decided there by
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

static const char *const orders[] = {"memory_order_relaxed", "memory_order_acquire", "memory_order_release",
                                     "memory_order_acq_rel", "memory_order_seq_cst", NULL};
static const char *const scopes[] = {"memory_scope_sub_group", "memory_scope_work_group", "memory_scope_device",
                                     "memory_scope_all_svm_devices", NULL};
static const char *const remote[] = {"", "_remote", NULL};
static const char *const flags[] = {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                    "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", NULL};

static const struct word_row *const known[] = {c_orders, c_scopes, NULL};

static const char *const updates[RMW_OPS] = {
    [RMW_EXCHANGE] = "atomic_exchange", [RMW_ADD] = "atomic_fetch_add", [RMW_SUB] = "atomic_fetch_sub",
    [RMW_OR] = "atomic_fetch_or",       [RMW_XOR] = "atomic_fetch_xor", [RMW_AND] = "atomic_fetch_and"};

static const struct move_list opencl_lists[] = {{'O', orders, NULL}, {'P', orders, NULL}, {'S', scopes, NULL},
                                                {'R', remote, NULL}, {'F', flags, NULL},  {0}};
static const struct move_form opencl_forms[] = {{INSTR_LOAD, "%n_explicit%R(%a, %O, %S)"},
                                                {INSTR_STORE, "%n_explicit%R(%a, %O, %S)"},
                                                {INSTR_RMW, "%n_explicit%R(%a, %O, %S)"},
                                                {INSTR_CAS, "%n_explicit%R(%a, %O, %P, %S)"},
                                                {INSTR_FENCE, "%n%R(%F, %O, %S)"},
                                                {INSTR_BARRIER, "%n(%F)"},
                                                {INSTR_BARRIER, "%n(%F, %S)"},
                                                {INSTR_LOAD, "atomic_fetch_add_explicit(%a, 0, %O, %S)"},
                                                {INSTR_STORE, "atomic_exchange_explicit(%a, %O, %S)"},
                                                {0, NULL}};
static const char *const opencl_fences[] = {"atomic_work_item_fence(%F, %O, %S)", NULL};
static const char *const opencl_barriers[] = {"barrier(%F)", NULL};
static const struct move_words opencl_moves = {.lists = opencl_lists,
                                               .forms = opencl_forms,
                                               .fences = opencl_fences,
                                               .barriers = opencl_barriers,
                                               .known = known,
                                               .plain = {"atomic_load", "atomic_store"},
                                               .atomic = "atomic_int",
                                               .ordinary = "int",
                                               .updates = updates};

static const struct move_list c_lists[] = {{'O', orders, NULL}, {'P', orders, NULL}, {0}};
static const struct move_form c_forms[] = {{INSTR_LOAD, "%n_explicit(%a, %O)"},
                                           {INSTR_STORE, "%n_explicit(%a, %O)"},
                                           {INSTR_RMW, "%n_explicit(%a, %O)"},
                                           {INSTR_CAS, "%n_explicit(%a, %O, %P)"},
                                           {INSTR_FENCE, "%n(%O)"},
                                           {INSTR_LOAD, "atomic_fetch_add_explicit(%a, 0, %O)"},
                                           {INSTR_STORE, "atomic_exchange_explicit(%a, %O)"},
                                           {0, NULL}};
static const char *const c_fences[] = {"atomic_thread_fence(%O)", NULL};
static const struct move_words c_moves = {.lists = c_lists,
                                          .forms = c_forms,
                                          .fences = c_fences,
                                          .known = known,
                                          .plain = {"atomic_load", "atomic_store"},
                                          .atomic = "atomic_int",
                                          .ordinary = "int",
                                          .updates = updates};

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
    .moves = &opencl_moves,
    .parse = parse,
    .lower = c_lower_threads,
};

const struct dialect c_dialect = {
    .words = c_words,
    .language = LANG_C,
    .name = "C",
    .model = "rc11",
    .free_values = true,
    .moves = &c_moves,
    .parse = parse,
    .lower = c_lower_threads,
};
