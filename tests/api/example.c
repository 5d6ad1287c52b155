/* SPDX-License-Identifier: MIT */
/* What a program that uses liblitscope looks like: checks a test against a
 * model, says why the outcome is forbidden, then asks whether a compiler mapping
 * is sound for it.
 *
 *     example [FOLDER] TEST.litmus
 *
 * FOLDER holds models/ and mappings/; an installed library finds its own.
 */
#include <litscope.h>
#include <stdio.h>

static int complain(const litscope *session) {
  fputs(litscope_messages(session), stderr);
  return litscope_status(session);
}

static int check(litscope *session, const litscope_test *test, const litscope_model *model) {
  litscope_verdict *verdict = litscope_check(session, test, model, NULL);
  if (!verdict) return complain(session);
  printf("%s under %s: %s\n", litscope_test_name(test), litscope_model_name(model),
         litscope_verdict_observation(verdict));
  for (size_t i = 0; i < litscope_verdict_state_count(verdict); i++)
    printf("  %s\n", litscope_verdict_state(verdict, i));
  fputs(litscope_verdict_why(verdict), stdout);
  litscope_verdict_free(verdict);
  return 0;
}

static int verify(litscope *session, const litscope_test *test, const litscope_model *model) {
  litscope_target *target = litscope_target_load(session, "rsp-original", NULL);
  litscope_verification *found = litscope_verify(session, test, target, model, NULL);
  int status = found ? 0 : complain(session);
  if (found) printf("%s: %s\n", litscope_target_name(target), litscope_verification_answer(found));
  for (size_t i = 0; i < litscope_verification_step_count(found); i++)
    printf("  %s\n", litscope_verification_step(found, i));
  litscope_verification_free(found);
  litscope_target_free(target);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fputs("usage: example [FOLDER] TEST.litmus\n", stderr);
    return 2;
  }
  litscope *session = litscope_new();
  if (!session) return 2;
  if (argc == 3) litscope_add_folder(session, argv[1]);
  litscope_test *test = litscope_test_read(session, argv[argc - 1]);
  int status = test ? 0 : complain(session);
  litscope_model *model = test ? litscope_model_load(session, litscope_test_default_model(test)) : NULL;
  if (test && !model) status = complain(session);
  if (!status) status = check(session, test, model);
  if (!status) status = verify(session, test, model);
  litscope_model_free(model);
  litscope_test_free(test);
  litscope_free(session);
  return status;
}
