/* SPDX-License-Identifier: MIT */
/* litscope.h where there is no whole answer: limits, options of zeros, loops that
 * are cut, calls that another thread cancels. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "checker/api/litscope.h"
#include "tests/unit/unit.h"

/* Reads and writes of one location by so many threads that nobody waits for the end of it. */
static const char WIDE[] = "C wide\n{ [x]=0; }\n"
#define THREAD(n)                                                                                                      \
  "P" #n                                                                                                               \
  " (atomic_int* x) { atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n"                                        \
  "  int r0 = atomic_load_explicit(x, memory_order_relaxed); atomic_fetch_add_explicit(x, 2, memory_order_relaxed);\n" \
  "  int r1 = atomic_load_explicit(x, memory_order_relaxed); }\n"
    THREAD(0) THREAD(1) THREAD(2) THREAD(3) THREAD(4) THREAD(5) "exists (0:r0=1 /\\ 1:r0=2)\n";

static const char LOOP[] =
    "OpenCL loop\n{ [x]=0; }\nP0 (global atomic_int* x) {\n  int i = 0;\n"
    "  while (i < 3) { atomic_store_explicit(x,1,memory_order_relaxed,memory_scope_device); i = i + 1; }\n}\n"
    "P1 (global atomic_int* x) { int r0 = atomic_load_explicit(x,memory_order_relaxed,memory_scope_device); }\n"
    "exists (1:r0=1)\n";

struct asked {
  litscope *session;
  litscope_test *test;
  litscope_model *model;
};

static struct asked ask(const char *text, const char *model) {
  struct asked asked = {.session = litscope_new()};
  assert_int_equal(litscope_add_folder(asked.session, "."), 0);
  asked.test = litscope_test_parse(asked.session, "test", text, strlen(text));
  assert_non_null(asked.test);
  asked.model = litscope_model_load(asked.session, model);
  assert_non_null(asked.model);
  return asked;
}

static void end(struct asked *asked) {
  litscope_model_free(asked->model);
  litscope_test_free(asked->test);
  litscope_free(asked->session);
}

static void assert_no_answer(const litscope *session, const litscope_verdict *verdict, const char *limit) {
  assert_int_equal(litscope_status(session), 3);
  assert_non_null(verdict);
  assert_null(litscope_verdict_observation(verdict));
  assert_int_equal(litscope_verdict_ok(verdict), 0);
  assert_string_equal(litscope_verdict_limit(verdict), limit);
}

TEST(test_a_limit_is_no_answer) {
  struct asked asked = ask(WIDE, "rc11");
  litscope_verdict *verdict =
      litscope_check(asked.session, asked.test, asked.model, &(litscope_options){.timeout = 1e-9});
  assert_no_answer(asked.session, verdict, "time limit");
  litscope_verdict_free(verdict);
  verdict = litscope_check(asked.session, asked.test, asked.model, &(litscope_options){.max_events = 3});
  assert_no_answer(asked.session, verdict, "limit on events");
  litscope_verdict_free(verdict);
  end(&asked);
}

TEST(test_zeros_are_what_null_is) {
  struct asked asked = ask(LOOP, "opencl");
  const litscope_options zeros = {0}, four = {.unroll = 4};
  const litscope_options *all[] = {NULL, &zeros, &four};
  for (int i = 0; i < 3; i++) {
    litscope_verdict *verdict = litscope_check(asked.session, asked.test, asked.model, all[i]);
    assert_int_equal(litscope_status(asked.session), 0);
    assert_null(litscope_verdict_limit(verdict));
    assert_string_equal(litscope_verdict_observation(verdict), i < 2 ? "Never" : "Sometimes");
    assert_int_equal(litscope_verdict_loop_cut(verdict), i < 2);
    litscope_verdict_free(verdict);
  }
  end(&asked);
}

TEST(test_verification_at_a_limit) {
  struct asked asked = ask(LOOP, "opencl");
  litscope_target *target = litscope_target_load(asked.session, "rsp-original", NULL);
  litscope_verification *found =
      litscope_verify(asked.session, asked.test, target, asked.model, &(litscope_options){.max_states = 1});
  assert_int_equal(litscope_status(asked.session), 3);
  assert_string_equal(litscope_verification_answer(found), "Undecided");
  litscope_verification_free(found);
  found = litscope_verify(asked.session, asked.test, target, asked.model, &(litscope_options){.unroll = 4});
  assert_int_equal(litscope_status(asked.session), 0);
  assert_string_equal(litscope_verification_answer(found), "Sound");
  assert_int_equal(litscope_verification_loop_cut(found), 0);
  litscope_verification_free(found);
  litscope_target_free(target);
  end(&asked);
}

TEST(test_a_model_of_another_language) {
  struct asked asked = ask(LOOP, "ptx");
  assert_null(litscope_check(asked.session, asked.test, asked.model, NULL));
  assert_int_equal(litscope_status(asked.session), 2);
  assert_non_null(
      strstr(litscope_messages(asked.session), "the model ptx is for tests in PTX, and this one is in OpenCL"));
  litscope_target *target = litscope_target_load(asked.session, "rsp-corrected", NULL);
  assert_non_null(target);
  assert_null(litscope_verify(asked.session, asked.test, target, asked.model, NULL));
  assert_int_equal(litscope_status(asked.session), 2);
  const litscope_options force = {.force = 1};
  litscope_verdict *verdict = litscope_check(asked.session, asked.test, asked.model, &force);
  assert_non_null(verdict);
  assert_int_equal(litscope_status(asked.session), 0);
  litscope_verdict_free(verdict);
  litscope_verification *found = litscope_verify(asked.session, asked.test, target, asked.model, &force);
  assert_non_null(found);
  litscope_verification_free(found);
  litscope_target_free(target);
  end(&asked);
}

TEST(test_a_translation_is_no_target) {
  struct asked asked = ask(LOOP, "opencl");
  assert_null(litscope_target_load(asked.session, "opencl-ptx", NULL));
  assert_int_equal(litscope_status(asked.session), 2);
  static const char said[] =
      "litscope: error: opencl-ptx is a translation, which only `litscope verify`, `explore` and `compile` take\n";
  assert_string_equal(litscope_messages(asked.session), said);
  end(&asked);
}

static void *check(void *context) {
  struct asked *asked = context;
  return litscope_check(asked->session, asked->test, asked->model, &(litscope_options){.workers = 2});
}

TEST(test_another_thread_cancels) {
  struct asked asked = ask(WIDE, "rc11");
  pthread_t thread;
  void *verdict;
  assert_int_equal(pthread_create(&thread, NULL, check, &asked), 0);
  nanosleep(&(struct timespec){.tv_nsec = 20000000},
            NULL); /* it runs by then, as a rule; cancelled it is in any case */
  litscope_cancel(asked.session, 1);
  assert_int_equal(pthread_join(thread, &verdict), 0);
  assert_no_answer(asked.session, verdict, "interrupt");
  litscope_verdict_free(verdict);
  end(&asked);
}

TEST(test_cancelled_until_it_is_taken_back) {
  struct asked asked = ask(LOOP, "opencl");
  litscope_cancel(asked.session, 1);
  assert_null(litscope_model_load(asked.session, "opencl"));
  assert_int_equal(litscope_status(asked.session), 3);
  assert_string_equal(litscope_messages(asked.session), "litscope: error: interrupted\n");
  assert_null(litscope_test_parse(asked.session, "test", LOOP, strlen(LOOP)));
  assert_null(litscope_target_load(asked.session, "rsp-original", NULL));
  litscope_cancel(asked.session, 0);
  litscope_model *model = litscope_model_load(asked.session, "opencl");
  assert_int_equal(litscope_status(asked.session), 0);
  litscope_model_free(model);
  end(&asked);
}
