/* SPDX-License-Identifier: MIT */
/* `list targets`: what tests can be compiled for, and with what. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/command_forms.h"
#include "checker/compiler/llc.h"
#include "checker/translate/nvptx.h"
#include "hwsem/amd/target.h"

/* Is the target among those that were named; with none, all are. */
static bool is_wanted(const struct invocation *call, const char *target) {
  for (size_t i = 0; i < call->word_count; i++)
    if (!strncmp(call->words[i], target, strcspn(call->words[i], ":")) &&
        strlen(target) == strcspn(call->words[i], ":"))
      return true;
  return !call->word_count;
}

/* Errors for names that no target has. */
static void check_named(const struct invocation *call, const struct amd_target *targets, unsigned count,
                        struct diags *diags) {
  const char **names = ARENA_ARRAY(call->arena, const char *, count + NVPTX_TARGETS + 1);
  unsigned known = 0;
  for (unsigned i = 0; i < count; i++) names[known++] = targets[i].name;
  for (unsigned i = 0; i < NVPTX_TARGETS; i++) names[known++] = nvptx_targets[i].name;
  for (size_t i = 0; i < call->word_count; i++) {
    const char *name = arena_strndup(call->arena, call->words[i], strcspn(call->words[i], ":"));
    if (text_index(name, names, known) < 0)
      diag_fail(diags, "no target '%s'%s", name, suggest_hint(call->arena, suggest(name, names)));
  }
}

static void print_targets(const struct invocation *call, const struct amd_target *targets, unsigned count,
                          const struct llc *compilers, unsigned compiler_count) {
  for (unsigned i = 0; i < count; i++) {
    if (!is_wanted(call, targets[i].name)) continue;
    for (unsigned m = 0; m < targets[i].mode_count; m++) {
      const struct amd_mode *mode = &targets[i].modes[m];
      printf("%s%s%s", targets[i].name, m ? ":" : "", m ? mode->name : "");
      const char *where = targets[i].group_l0 ? "one WGP, which has one L0" : mode->split ? "several CUs" : "one CU";
      printf("\twork-group on %s%s\t", where, mode->local ? "" : ", no local memory");
      for (unsigned k = 0; k < compiler_count; k++)
        if (amd_target_processor(&targets[i], compilers[k].version)) printf(" %s", compilers[k].name);
      putchar('\n');
    }
  }
}

static void print_nvptx(const struct invocation *call, const struct llc *compilers, unsigned compiler_count) {
  for (unsigned i = 0; i < NVPTX_TARGETS; i++) {
    if (!is_wanted(call, nvptx_targets[i].name)) continue;
    printf("%s\t%s\t", nvptx_targets[i].name, nvptx_targets[i].about);
    for (unsigned k = 0; k < compiler_count; k++)
      if (compilers[k].version >= nvptx_targets[i].since) printf(" %s", compilers[k].name);
    putchar('\n');
  }
}

int list_targets(struct invocation *call) {
  struct arena *arena = call->arena;
  struct diags diags = diags_new(arena);
  size_t named;
  unsigned count, compiler_count = 0;
  struct xml_folders search = mapping_search(call);
  const struct amd_target *targets = amd_targets_load(arena, "amdgpu", &search, &count, &diags);
  const char **words = option_words(call, OPTION_COMPILER, &named);
  struct llc *compilers = named ? ARENA_ARRAY(arena, struct llc, named) : llc_list(arena, LLC_TOOL, &compiler_count);
  for (size_t i = 0; i < named; i++) {
    struct llc *llc = &compilers[compiler_count];
    if (!llc_find(arena, LLC_TOOL, words[i], llc, &diags)) continue;
    if (llc->written) diag_fail(&diags, "'%s' is assembly, and no compiler", words[i]);
    compiler_count++;
  }
  if (!diags.errors) check_named(call, targets, count, &diags);
  if (diags.errors) return diags_report(&diags);
  print_targets(call, targets, count, compilers, compiler_count);
  print_nvptx(call, compilers, compiler_count);
  if (call->word_count) return STATUS_DONE;
  putchar('\n');
  for (unsigned i = 0; i < compiler_count; i++)
    printf("%s\tLLVM %s\t%s\n", compilers[i].name, compilers[i].release, compilers[i].path);
  if (!compiler_count) puts("No compiler: there is neither llc nor llc-N on PATH");
  unsigned clang_count = 0;
  const struct llc *clangs = named ? NULL : llc_list(arena, CLANG_TOOL, &clang_count);
  for (unsigned i = 0; i < clang_count; i++)
    printf("%s\tLLVM %s\t%s\tfor -through\n", clangs[i].name, clangs[i].release, clangs[i].path);
  return STATUS_DONE;
}
