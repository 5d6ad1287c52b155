/* SPDX-License-Identifier: MIT */
/* liblitscope: litmus tests, memory models and machines, from C, C++, and what
 * reads C declarations (checker/python reads this file).
 *
 *   #include <litscope.h>
 *   cc x.c `pkg-config --cflags --libs litscope`
 *
 *   litscope *session = litscope_new();
 *   litscope_model *model = litscope_model_load(session, "opencl-rsp");
 *   litscope_test *test = litscope_test_read(session, "RSP_Test2.litmus");
 *   litscope_verdict *verdict = litscope_check(session, test, model, NULL);
 *   if (!verdict) fputs(litscope_messages(session), stderr);
 *   puts(litscope_verdict_observation(verdict));
 *
 * Rules that hold for all.  No function prints, ends the process, or keeps
 * anything global.  What fails returns NULL (or a status that is not 0) and
 * leaves its reasons in the session: bad input, a limit, memory that ran out;
 * arguments that are NULL where an object is needed fail too.  An object lives
 * until its free function; freeing NULL does nothing.  A test, a model and a
 * target must outlive what was made from them.  Strings belong to the object
 * that they are asked of, and live as long; those of a session, until its next
 * call.  Objects do not change once made: threads may share them.  A session
 * serves one thread at a time; only litscope_cancel may come from another.
 *
 * A whole program is tests/api/example.c.
 */
#ifndef LITSCOPE_H
#define LITSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct litscope litscope;
typedef struct litscope_model litscope_model;
typedef struct litscope_test litscope_test;
typedef struct litscope_target litscope_target;
typedef struct litscope_verdict litscope_verdict;
typedef struct litscope_verification litscope_verification;

/* The version of the library, such as "1.0.0". */
const char *litscope_version(void);

/* ---- sessions: where files are searched, what went wrong ---- */

/* A session that knows the installed models, mappings and machines, also where
 * the tree has been moved as a whole.  NULL: memory ran out. */
litscope *litscope_new(void);
void litscope_free(litscope *session);

/* A folder that is searched before the others, itself and its models/ and
 * mappings/.  0: done. */
int litscope_add_folder(litscope *session, const char *folder);

/* How the last call of the session ended: 0 done, 2 bad input, 3 a limit was
 * reached, memory ran out or it was cancelled, so that there is no answer, or not a
 * whole one. */
int litscope_status(const litscope *session);

/* 1: the session's call that runs ends soon, and each later one as soon as it
 * begins, with status 3; 0: calls run again.  From any thread, at any time, and
 * from a handler of signals. */
void litscope_cancel(litscope *session, int cancelled);

/* What the last call had to say: errors, each with file, line, column and a
 * caret, and warnings, in lines; "": nothing. */
const char *litscope_messages(const litscope *session);

/* ---- tests and models ---- */

/* A litmus test, from a file ("-" is standard input) or from memory, where
 * `name` is what messages call it. */
litscope_test *litscope_test_read(litscope *session, const char *path);
litscope_test *litscope_test_parse(litscope *session, const char *name, const char *text, size_t size);
void litscope_test_free(litscope_test *test);

const char *litscope_test_name(const litscope_test *test);
const char *litscope_test_condition(const litscope_test *test);
const char *litscope_test_hash(const litscope_test *test);
/* The name of the model that tests of its language are checked against. */
const char *litscope_test_default_model(const litscope_test *test);

/* A .cat model by name or path. */
litscope_model *litscope_model_load(litscope *session, const char *name);
void litscope_model_free(litscope_model *model);
const char *litscope_model_name(const litscope_model *model);

/* ---- is an outcome allowed? ---- */

/* Limits and liberties.  A member that is 0 is not given: loops are unrolled twice, one thread
 * works, and there is no other limit.  NULL for the whole: nothing is given. */
typedef struct litscope_options {
  unsigned unroll;     /* times that a loop is unrolled; 0: 2 */
  unsigned max_events; /* in one execution */
  uint64_t max_memory; /* bytes */
  uint64_t max_states; /* of an exploration */
  double timeout;      /* seconds */
  unsigned workers;    /* threads; 0: one */
  unsigned force;      /* 1: models are asked about tests in other languages than they say they are for, too */
} litscope_options;

/* All executions of the test under the model.  When a limit is met or the
 * session is cancelled, status is 3 and the verdict has no answer, but says
 * which limit it was and holds what was found until then.  NULL: bad input,
 * which a model that cannot be evaluated on the test, or says that it is for
 * other languages (unless options.force), is too, or no memory. */
litscope_verdict *litscope_check(litscope *session, const litscope_test *test, const litscope_model *model,
                                 const litscope_options *options);
void litscope_verdict_free(litscope_verdict *verdict);

/* NULL: the search was whole; else what ended it: "time limit", "limit on
 * events", "memory limit" or "interrupt" (litscope_cancel). */
const char *litscope_verdict_limit(const litscope_verdict *verdict);
/* "Never", "Sometimes" or "Always": how often the condition's proposition is met.
 * NULL: a limit was reached. */
const char *litscope_verdict_observation(const litscope_verdict *verdict);
/* 1: the test's question is answered as it is asked (`Ok`); 0: `No`, or a limit
 * was reached. */
int litscope_verdict_ok(const litscope_verdict *verdict);
/* 1: a loop may run more often than options.unroll, so that the answer is one
 * about executions in which none does. */
int litscope_verdict_loop_cut(const litscope_verdict *verdict);
/* Executions that meet the proposition, that do not, with undefined behaviour. */
uint64_t litscope_verdict_matching(const litscope_verdict *verdict);
uint64_t litscope_verdict_failing(const litscope_verdict *verdict);
uint64_t litscope_verdict_undefined(const litscope_verdict *verdict);

/* Final states: `0:r0=1; [x]=2;`, and of each the values of what the test
 * observes (`0:r0`, `[x]`), and the number of executions that end in it. */
size_t litscope_verdict_state_count(const litscope_verdict *verdict);
const char *litscope_verdict_state(const litscope_verdict *verdict, size_t state);
uint64_t litscope_verdict_state_executions(const litscope_verdict *verdict, size_t state);
size_t litscope_verdict_observable_count(const litscope_verdict *verdict);
const char *litscope_verdict_observable(const litscope_verdict *verdict, size_t observable);
int64_t litscope_verdict_value(const litscope_verdict *verdict, size_t state, size_t observable);

/* Why an outcome is forbidden or a program undefined: the axiom and the cycle,
 * edge by edge, in lines; "": there is nothing to explain. */
const char *litscope_verdict_why(const litscope_verdict *verdict);
/* The whole in herd's format, and as JSON (results.schema.json). */
const char *litscope_verdict_log(const litscope_verdict *verdict);
const char *litscope_verdict_json(const litscope_verdict *verdict);

/* ---- is a compiler mapping sound? ---- */

/* A compiler mapping on a machine, each by name or path.  `machine` may be NULL:
 * the usual GPU.  `mapping` may be NULL for machines that run programs
 * themselves, such as adsm-lazy.  Translations to languages are for the command
 * line alone. */
litscope_target *litscope_target_load(litscope *session, const char *mapping, const char *machine);
void litscope_target_free(litscope_target *target);
const char *litscope_target_name(const litscope_target *target);

/* Whether the target shows only what the model allows.  A limit that is met:
 * "Undecided", with status 3. */
litscope_verification *litscope_verify(litscope *session, const litscope_test *test, const litscope_target *target,
                                       const litscope_model *model, const litscope_options *options);
void litscope_verification_free(litscope_verification *verification);

/* "Sound", "Unsound", "Undefined", "Deadlock" or "Undecided". */
const char *litscope_verification_answer(const litscope_verification *verification);
/* What the target reaches and the model forbids, as a condition; NULL: nothing. */
const char *litscope_verification_outcome(const litscope_verification *verification);
/* Why there is no answer; NULL: there is one. */
const char *litscope_verification_reason(const litscope_verification *verification);
/* As litscope_verdict_loop_cut, of the model's executions. */
int litscope_verification_loop_cut(const litscope_verification *verification);
/* Why the model forbids the outcome, as litscope_verdict_why; "". */
const char *litscope_verification_why(const litscope_verification *verification);
/* The shortest run there, a step each; a longer one where a limit ended the search for it. */
size_t litscope_verification_step_count(const litscope_verification *verification);
const char *litscope_verification_step(const litscope_verification *verification, size_t step);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
