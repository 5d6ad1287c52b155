/* SPDX-License-Identifier: MIT */
/* Targets of compilers from the command line. */
#include "checker/cmd/compiler_options.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/language_mapping_options.h"
#include "checker/compiler/compiled_machine.h"
#include "checker/translate/nvptx.h"

struct compiled_loading {
  struct invocation *call;
  const struct xml_folders *search;
  struct diags *diags;
};

static void set_compiled_knob(void *setup, const char *name, const char *word, struct diags *diags) {
  compiled_set(setup, name, word, diags);
}

void compiler_each_knob(const struct invocation *call,
                        void (*set)(void *context, const char *name, const char *word, struct diags *diags),
                        void *context, struct diags *diags) {
  const char *place = option_text(call, OPTION_PLACE);
  option_each_pair(call, OPTION_KNOB, set, context, diags);
  if (place) set(context, "place", place, diags);
}

/* Kernels in OpenCL C go through clang, as they do for users. */
static bool names_kernels(const struct invocation *call) {
  for (size_t i = 0; i < call->word_count; i++)
    if (text_ends_in(call->words[i], ".cl")) return true;
  return false;
}

static enum ir_form form_of(const struct invocation *call) {
  const char *word = option_text(call, OPTION_COMPILER_INPUT);
  if (!option_given(call, OPTION_COMPILER_INPUT) && names_kernels(call)) return IR_OPENCL;
  return !strcmp(word, "llc") ? IR_TEXT : !strcmp(word, "clang") ? IR_OPENCL : IR_C;
}

/* -compiler-option: a level of optimisation stands for -O2. */
static void set_options(struct compiled_loading *l, struct compiled_setup *setup) {
  size_t count;
  const char **words = option_words(l->call, OPTION_COMPILER_OPTION, &count);
  VEC(const char *) extra = {0};
  for (size_t i = 0; i < count; i++)
    if (text_begins(words[i], "-O"))
      setup->build.level = words[i];
    else
      *vec_push(l->call->arena, &extra) = words[i];
  setup->build.extra = extra.at;
  setup->build.extra_count = (unsigned)extra.count;
  setup->build.form = form_of(l->call);
  /* tests have lines, generated programs only where they stand for operations */
  setup->build.lines = l->call->word_count > 0 || l->call->command == COMMAND_SYNTH;
}

static void add_compiled(struct compiled_loading *l, const struct amd_target *target, const struct llc *llc,
                         struct hardware *hardware, size_t *room) {
  struct arena *arena = l->call->arena;
  struct compiled_setup *setup =
      ARENA_MAKE(arena, struct compiled_setup, .target = target, .llc = *llc, .knobs = amd_knobs_default());
  set_options(l, setup);
  compiler_each_knob(l->call, set_compiled_knob, setup, l->diags);
  vec_reserve(arena, (void **)&hardware->at, room, hardware->count + 1, sizeof *hardware->at);
  hardware->at[hardware->count++] = (struct target){compiled_name(arena, setup), &compiled_kind, setup, NULL};
}

/* NVIDIA's: PTX, under PTX's model. */
static void add_nvptx(struct compiled_loading *l, const struct nvptx_target *target, const struct llc *llc,
                      struct hardware *hardware, size_t *room) {
  static const enum option_id IDLE[] = {OPTION_KNOB, OPTION_PLACE};
  struct arena *arena = l->call->arena;
  struct compiled_setup like = {.target = NULL};
  struct translated_setup *setup = ARENA_NEW(arena, struct translated_setup);
  struct llc *own = ARENA_NEW(arena, struct llc);
  for (unsigned i = 0; i < 2; i++)
    if (option_given(l->call, IDLE[i]))
      diag_fail(l->diags, "option -%s: %s has a model and no machine to set", option_table[IDLE[i]].name, target->name);
  set_options(l, &like);
  *own = *llc;
  struct nvptx_settings settings = {like.build.level, like.build.extra, like.build.extra_count, like.build.form,
                                    like.build.lines};
  setup->nvptx = nvptx_new(arena, target, own, &settings);
  setup->translator = translator_by_compiler(arena, setup->nvptx);
  if (!translated_finish(l->call, setup, l->diags)) return;
  vec_reserve(arena, (void **)&hardware->at, room, hardware->count + 1, sizeof *hardware->at);
  hardware->at[hardware->count++] = (struct target){setup->translator.name, &translated_kind, setup, NULL};
}

static void refuse_nvptx(struct compiled_loading *l, const char *word) {
  const char *list = "";
  for (unsigned i = 0; i < NVPTX_TARGETS; i++)
    list = arena_printf(l->call->arena, "%s%s%s", list, i ? ", " : "", nvptx_targets[i].name);
  diag_fail(l->diags, "unknown target '%s'; NVIDIA's are %s (`litscope list targets` lists all)", word, list);
}

/* Answers are told apart by what compilers are called. */
static void refuse_alike(struct compiled_loading *l, const struct llc *all, size_t count, const struct llc *llc) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(all[i].name, llc->name) && strcmp(all[i].path, llc->path) != 0)
      diag_fail(l->diags, "%s and %s are both called %s: one run cannot have both", all[i].path, llc->path, llc->name);
}

/* -target by -compiler: a target for every pair. */
static void load_compiled(struct compiled_loading *l, struct hardware *hardware) {
  struct arena *arena = l->call->arena;
  size_t target_count, compiler_count, room = 0;
  unsigned known;
  const char **words = option_words(l->call, OPTION_TARGET, &target_count);
  const char **compilers = option_words(l->call, OPTION_COMPILER, &compiler_count);
  struct llc *found = ARENA_ARRAY(arena, struct llc, compiler_count + 1);
  const struct amd_target *all = amd_targets_load(arena, "amdgpu", l->search, &known, l->diags);
  for (size_t i = 0; all && i < target_count; i++) {
    const struct nvptx_target *nvidia = nvptx_find(words[i]);
    if (!nvidia && text_begins(words[i], "sm_")) {
      refuse_nvptx(l, words[i]);
      return;
    }
    const struct amd_target *target = nvidia ? NULL : amd_target_find(arena, all, known, words[i], l->diags);
    for (size_t k = 0; (target || nvidia) && k < (compiler_count ? compiler_count : 1); k++) {
      struct llc llc = found[k]; /* asked for its version once; a file is told anew which module it is the code of */
      enum llc_tool tool = form_of(l->call) == IR_TEXT ? LLC_TOOL : CLANG_TOOL;
      if ((!llc.path || llc.written) && !llc_find(arena, tool, compiler_count ? compilers[k] : NULL, &llc, l->diags))
        return;
      refuse_alike(l, found, k, &llc);
      found[k] = llc;
      *vec_push(arena, &l->call->compilers) = arena_printf(arena, "%s %s", llc.name, llc.build);
      l->call->one_by_one |= llc.written != NULL;
      if (llc.written && option_given(l->call, OPTION_COMPILER_OPTION))
        diag_fail(l->diags, "option -compiler-option has no meaning with %s: nothing is compiled", llc.path);
      if (nvidia)
        add_nvptx(l, nvidia, &llc, hardware, &room);
      else
        add_compiled(l, target, &llc, hardware, &room);
      if (l->diags->errors) return;
    }
  }
  hardware->named = hardware->count;
}

bool compiled_load(struct invocation *call, const struct xml_folders *search, struct hardware *hardware,
                   struct diags *diags) {
  size_t before = diags->errors;
  struct compiled_loading l = {call, search, diags};
  *hardware = (struct hardware){0};
  load_compiled(&l, hardware);
  return diags->errors == before;
}
