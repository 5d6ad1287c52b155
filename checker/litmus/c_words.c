/* SPDX-License-Identifier: MIT */
/* The words of OpenCL and C: functions, orders, scopes, fence flags.
 *
 * Orders and scopes have the names of the language and the short ones of the
 * 2015 herd (`mo_acq`, `s_wg`); functions may be written without `atomic_`, as
 * there.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/ast.h"

/* --- functions ------------------------------------------------------------------------- */

static const struct function functions[] = {
    {"load", FUNCTION_LOAD, 0, false},
    {"store", FUNCTION_STORE, 0, false},
    {"init", FUNCTION_INIT, 0, false},
    {"exchange", FUNCTION_RMW, RMW_EXCHANGE, false},
    {"fetch_add", FUNCTION_RMW, RMW_ADD, false},
    {"fetch_sub", FUNCTION_RMW, RMW_SUB, false},
    {"fetch_or", FUNCTION_RMW, RMW_OR, false},
    {"fetch_xor", FUNCTION_RMW, RMW_XOR, false},
    {"fetch_and", FUNCTION_RMW, RMW_AND, false},
    {"fetch_min", FUNCTION_RMW, RMW_MIN, false},
    {"fetch_max", FUNCTION_RMW, RMW_MAX, false},
    {"compare_exchange_strong", FUNCTION_CAS, 0, false},
    {"compare_exchange_weak", FUNCTION_CAS, 0, true},
    {"flag_test_and_set", FUNCTION_TEST_AND_SET, 0, false},
    {"flag_clear", FUNCTION_CLEAR, 0, false},
};
enum { FUNCTIONS = ARRAY_COUNT(functions) };

static const struct function fence = {"fence", FUNCTION_FENCE, 0, false};

static bool is_fence(const struct dialect *dialect, const char *text, size_t length) {
  if (text_part_is(text, length, "fence")) return true;
  return text_part_is(text, length, dialect->scoped ? "atomic_work_item_fence" : "atomic_thread_fence");
}

struct function_name function_find(const struct dialect *dialect, const char *name) {
  struct function_name found = {NULL, false, false};
  size_t length = strlen(name);
  if (dialect->remote && text_part_ends_in(name, length, "_remote")) {
    found.remote = true;
    length -= strlen("_remote");
  }
  if (is_fence(dialect, name, length)) {
    found.function = &fence;
    found.explicit = true;
    return found;
  }
  bool prefixed = length > 7 && !memcmp(name, "atomic_", 7);
  const char *base = prefixed ? name + 7 : name;
  length -= (size_t)(base - name);
  for (int i = 0; i < 2 && !found.explicit; i++) {
    static const char *const tails[] = {"_explicit", "_exp"};
    if (!text_part_ends_in(base, length, tails[i])) continue;
    found.explicit = true;
    length -= strlen(tails[i]);
  }
  for (int i = 0; i < FUNCTIONS; i++) {
    bool bare = functions[i].kind == FUNCTION_LOAD || functions[i].kind == FUNCTION_STORE;
    if (text_part_is(base, length, functions[i].base) && (prefixed || bare)) found.function = &functions[i];
  }
  if (found.function && found.function->kind == FUNCTION_INIT && (found.explicit || found.remote))
    found.function = NULL;
  return found;
}

static const char *misspelt_with(struct draft *draft, const char *name, const char *tail) {
  const char *words[FUNCTIONS + 1] = {NULL};
  for (int i = 0; i < FUNCTIONS; i++)
    words[i] = arena_printf(draft->reader.arena, "atomic_%s%s", functions[i].base, tail);
  return suggest(name, words);
}

/* OpenCL 1's functions, for which `atom_` stands too, and what says the same here: p is the
 * location, c and v are values.  Atomic operations order nothing there; what the fences are,
 * OpenCL 2.0 says. */
static const struct {
  const char *name, *form;
} old_functions[] = {
#define RMW_FORM(name, form) \
  { name, form "memory_order_relaxed, memory_scope_device)" }
    RMW_FORM("atomic_add", "atomic_fetch_add_explicit(p, v, "),
    RMW_FORM("atomic_sub", "atomic_fetch_sub_explicit(p, v, "),
    RMW_FORM("atomic_inc", "atomic_fetch_add_explicit(p, 1, "),
    RMW_FORM("atomic_dec", "atomic_fetch_sub_explicit(p, 1, "),
    RMW_FORM("atomic_and", "atomic_fetch_and_explicit(p, v, "),
    RMW_FORM("atomic_or", "atomic_fetch_or_explicit(p, v, "),
    RMW_FORM("atomic_xor", "atomic_fetch_xor_explicit(p, v, "),
    RMW_FORM("atomic_min", "atomic_fetch_min_explicit(p, v, "),
    RMW_FORM("atomic_max", "atomic_fetch_max_explicit(p, v, "),
    RMW_FORM("atomic_xchg", "atomic_exchange_explicit(p, v, "),
#undef RMW_FORM
    {"atomic_cmpxchg",
     "atomic_compare_exchange_strong_explicit(p, &c, v, memory_order_relaxed, memory_order_relaxed, "
     "memory_scope_device)"},
    {"mem_fence", "atomic_work_item_fence(flags, memory_order_acq_rel, memory_scope_work_group)"},
    {"read_mem_fence", "atomic_work_item_fence(flags, memory_order_acquire, memory_scope_work_group)"},
    {"write_mem_fence", "atomic_work_item_fence(flags, memory_order_release, memory_scope_work_group)"},
};

static const char *old_form(const char *name) {
  const char *tail = text_begins(name, "atom_") ? name + 5 : NULL;
  for (size_t i = 0; i < ARRAY_COUNT(old_functions); i++) {
    const char *old = old_functions[i].name;
    if (!strcmp(old, name) || (tail && text_begins(old, "atomic_") && !strcmp(old + 7, tail)))
      return old_functions[i].form;
  }
  return NULL;
}

static bool is_linux(const char *name) {
  static const char *const beginnings[] = {"READ_ONCE",       "WRITE_ONCE", "smp_", "rcu_",   "srcu_",
                                           "synchronize_rcu", "spin_",      "xchg", "cmpxchg"};
  for (size_t i = 0; i < ARRAY_COUNT(beginnings); i++)
    if (text_begins(name, beginnings[i])) return true;
  return false;
}

/* The tails are part of every name and would hide how near the rest is, so the
 * name is compared with those of its own kind only. */
void function_fail_unknown(struct draft *draft, const struct token *name) {
  static const char *const tails[] = {"_explicit_remote", "_explicit", "_remote", ""};
  static const char *const opencl_words[] = {"atomic_work_item_fence", "barrier", "work_group_barrier",
                                             "atomic_work_item_fence_remote", NULL};
  static const char *const c_words[] = {"atomic_thread_fence", NULL};
  bool c = !draft->dialect->scoped;
  size_t length = strlen(name->text);
  const char *near = NULL;
  for (int i = 0; i < 4 && !near; i++)
    if (text_part_ends_in(name->text, length, tails[i]) || i == 3) near = misspelt_with(draft, name->text, tails[i]);
  if (!near) near = suggest(name->text, c ? c_words : opencl_words);
  const char *hint = suggest_hint(draft->reader.arena, near);
  if (!c && !strcmp(name->text, "atomic_thread_fence")) hint = "; OpenCL's fence is atomic_work_item_fence";
  if (c && !strcmp(name->text, "atomic_work_item_fence")) hint = "; C's fence is atomic_thread_fence";
  if (c && strstr(name->text, "_remote")) hint = "; C has no remote operations";
  if (c && is_linux(name->text))
    hint =
        "; for the Linux kernel's, give its -macros linux-kernel.def, -bell linux-kernel.bell and -model "
        "linux-kernel.cat";
  if (!c && old_form(name->text))
    hint = arena_printf(draft->reader.arena, ", of OpenCL 1; here it is written %s", old_form(name->text));
  reader_fail(&draft->reader, name->span, "unknown function '%s'%s", name->text, hint);
}

/* --- orders, scopes, regions -------------------------------------------------------------- */

const struct word_row c_orders[] = {
    {"memory_order_relaxed", ORDER_RLX},
    {"memory_order_acquire", ORDER_ACQ},
    {"memory_order_release", ORDER_REL},
    {"memory_order_acq_rel", ORDER_ACQ_REL},
    {"memory_order_seq_cst", ORDER_SC},
    {"memory_order_consume", ORDER_CON},
    {"mo_rlx", ORDER_RLX},
    {"mo_acq", ORDER_ACQ},
    {"mo_rel", ORDER_REL},
    {"mo_ar", ORDER_ACQ_REL},
    {"mo_acq_rel", ORDER_ACQ_REL},
    {"mo_sc", ORDER_SC},
    {"mo_con", ORDER_CON},
    {NULL, 0},
};

const struct word_row c_scopes[] = {
    {"memory_scope_work_item", SCOPE_WI},
    {"memory_scope_sub_group", SCOPE_SG},
    {"memory_scope_work_group", SCOPE_WG},
    {"memory_scope_cluster", SCOPE_QF}, /* CUDA's */
    {"memory_scope_device", SCOPE_DEV},
    {"memory_scope_all_svm_devices", SCOPE_SYS},
    {"memory_scope_all_devices", SCOPE_SYS},
    {"s_wi", SCOPE_WI},
    {"s_sg", SCOPE_SG},
    {"s_wg", SCOPE_WG},
    {"s_dev", SCOPE_DEV},
    {"s_all", SCOPE_SYS},
    {NULL, 0},
};

static const struct word_row flags[] = {
    {"CLK_GLOBAL_MEM_FENCE", REGION_GLOBAL},
    {"CLK_LOCAL_MEM_FENCE", REGION_LOCAL},
    {NULL, 0},
};

/* HSA's words, and others' for the same. */
static const struct {
  const char *text, *meant;
} foreign[] = {
    {"rlx", "memory_order_relaxed"},
    {"relaxed", "memory_order_relaxed"},
    {"acq", "memory_order_acquire"},
    {"acquire", "memory_order_acquire"},
    {"scacq", "memory_order_acquire"},
    {"rel", "memory_order_release"},
    {"release", "memory_order_release"},
    {"screl", "memory_order_release"},
    {"ar", "memory_order_acq_rel"},
    {"acq_rel", "memory_order_acq_rel"},
    {"scar", "memory_order_acq_rel"},
    {"sc", "memory_order_seq_cst"},
    {"seq_cst", "memory_order_seq_cst"},
    {"wi", "memory_scope_work_item"},
    {"work_item", "memory_scope_work_item"},
    {"wv", "memory_scope_sub_group"},
    {"wave", "memory_scope_sub_group"},
    {"sg", "memory_scope_sub_group"},
    {"sub_group", "memory_scope_sub_group"},
    {"wg", "memory_scope_work_group"},
    {"work_group", "memory_scope_work_group"},
    {"dev", "memory_scope_device"},
    {"device", "memory_scope_device"},
    {"cmp", "memory_scope_device"},
    {"component", "memory_scope_device"},
    {"agent", "memory_scope_device"},
    {"sys", "memory_scope_all_svm_devices"},
    {"system", "memory_scope_all_svm_devices"},
    {"memory_scope_system", "memory_scope_all_svm_devices"},
    {"memory_scope_agent", "memory_scope_device"},
    {"memory_scope_component", "memory_scope_device"},
    {"memory_scope_wavefront", "memory_scope_sub_group"},
};

static const char *hint_for(struct reader *reader, const char *text, const struct word_row *words) {
  enum { MOST = 16 };
  const char *texts[MOST + 1] = {NULL};
  for (int i = 0; words[i].text; i++) {
    texts[i] = words[i].text;
    for (size_t j = 0; j < ARRAY_COUNT(foreign); j++)
      if (!strcmp(text, foreign[j].text) && !strcmp(words[i].text, foreign[j].meant))
        return suggest_hint(reader->arena, foreign[j].meant);
  }
  return reader_hint(reader, text, texts);
}

/* What a word is that stands in another one's place. */
static const char *kind_of(const char *text) {
  static const struct {
    const struct word_row *words;
    const char *kind;
  } tables[] = {{c_orders, "memory order"}, {c_scopes, "memory scope"}, {flags, "fence flag"}};
  for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
    if (word_find(tables[i].words, text)) return tables[i].kind;
  return NULL;
}

static int parse_word(struct draft *draft, const struct word_row *words, const char *what) {
  struct reader *reader = &draft->reader;
  if (!reader_is_name(reader)) {
    reader_fail_expected(reader, arena_printf(reader->arena, "a %s such as %s", what, words[1].text));
    return words[0].value;
  }
  const struct token *token = reader_take(reader);
  const struct word_row *row = word_find(words, token->text);
  if (row) return row->value;
  const char *other = kind_of(token->text);
  if (other)
    reader_fail(reader, token->span, "expected a %s, but '%s' is a %s", what, token->text, other);
  else
    reader_fail(reader, token->span, "unknown %s '%s'%s", what, token->text, hint_for(reader, token->text, words));
  return words[0].value;
}

enum order parse_order(struct draft *draft) {
  return (enum order)parse_word(draft, c_orders, "memory order");
}

enum scope parse_scope(struct draft *draft) {
  return (enum scope)parse_word(draft, c_scopes, "memory scope");
}

unsigned parse_fence_flags(struct draft *draft) {
  unsigned regions = 0;
  do regions |= (unsigned)parse_word(draft, flags, "fence flag");
  while (reader_skip(&draft->reader, "|"));
  return regions;
}
