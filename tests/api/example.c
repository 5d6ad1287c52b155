/* SPDX-License-Identifier: MIT */
/* What a program that uses liblitscope looks like: checks a test against a
 * model, then asks whether a compiler mapping is sound for it.
 *
 *     example FOLDER TEST.litmus
 *
 * where FOLDER holds models/ and mappings/.
 */
#include <litscope.h>

static int report(const struct diags *diags) {
  diags_print(diags, stderr);
  return 2;
}

static const struct litmus_test *read_test(struct arena *arena, const char *path, struct diags *diags) {
  const struct source *source = source_read(arena, path, diags);
  struct litmus_options options = {0};
  return source ? litmus_parse(arena, source, &options, diags) : NULL;
}

static int verify(struct arena *arena, const char *folder, const struct litmus_test *test,
                  const struct cat_model *model, struct diags *diags) {
  const char *folders[] = {folder, NULL};
  struct xml_search search = {.folders = folders, .folder_count = 1};
  struct gpu_knobs knobs;
  struct target target = {.name = "rsp-original", .kind = &gpu_kind, .settings = &knobs};
  target.mapping = mapping_load(arena, "rsp-original", &search, diags);
  if (!target.mapping || !gpu_knobs_load(arena, "gpu", &search, &knobs, diags)) return report(diags);
  struct verify_options options = {.explore = {.por = true}, .model = {.unroll = 2, .prune = true}};
  struct verify_result result;
  struct explorer *explorer = explorer_new();
  verify_test(&target, test, model, &options, explorer, arena, &result, diags);
  printf("%s: %s\n", target.name, verify_answer_name(result.answer));
  explorer_free(explorer);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const char *folders[] = {arena_printf(arena, "%s/models", argv[1])};
  struct cat_search search = {.folders = folders, .folder_count = 1};
  const struct litmus_test *test = read_test(arena, argv[2], &diags);
  struct cat_model *model = cat_load(arena, "opencl-rsp", &search, &diags);
  int status = test && model ? 0 : report(&diags);
  if (!status) {
    struct enumerate_options options = {.unroll = 2, .prune = true};
    const struct verdict *verdict = verdict_run(arena, test, model, &options, NULL);
    log_write(stdout, verdict, why_text(arena, verdict, model, &options));
    status = verify(arena, arena_printf(arena, "%s/mappings", argv[1]), test, model, &diags);
  }
  arena_free(arena);
  return status;
}
