/* SPDX-License-Identifier: MIT */
/* Rules of a machine as a text, from which those of one of its programs are made (guarded_commands.h).
 *
 *   text       = (definition | macro)*                    what comes after # is a comment
 *   definition = def NAME [(PARAMETERS)] = expression
 *   macro      = do NAME [(PARAMETERS)] block
 *   block      = { statement* }
 *   statement  = if expression block [else (block | if ...)]
 *              | for NAME < expression [if expression] block       once for each number from 0 on
 *              | rule expression when expression [keeps] block     name and guard; keeps: `old` is set
 *              | procedure expression block
 *              | call expression ;
 *              | NAME [(arguments)] ;                              a macro, or what the machine does
 *              | VARIABLE := expression ;
 *   expression = (all | any | count) NAME < expression [if expression] (, NAME < ...)* : expression
 *              | operators as in C, but = for equality, names with arguments, numbers
 *              | "text {expression} text"
 *
 * What is known of the program is done at once: a condition that is known leaves nothing, or what it is about; a rule
 * whose guard is known to be false is none; a variable that the program does not need is 0, and not set.  The rest
 * becomes text.  Names are parameters, definitions, or words of the machine.
 */
#ifndef LITSCOPE_HWSEM_RULE_TEMPLATES_H
#define LITSCOPE_HWSEM_RULE_TEMPLATES_H

#include "hwsem/guarded_commands.h"

/* Text in the language of the rules, or NULL: a number that is known. */
struct rule_value {
  const char *text;
  int64_t number;
};

enum { RULE_ARGUMENTS = 8 };

/* A machine's words.  Arguments are numbers that are known. */
struct rule_words {
  void *context;
  struct rule_value (*word)(void *context, const char *name, const int64_t *arguments);
  void (*act)(void *context, const char *name, const int64_t *arguments);
};

struct rule_templates;

/* In the arena of `rules`; the text is the program's own, without faults. */
struct rule_templates *rule_templates_new(struct rules *rules, const char *text, const struct rule_words *words);

/* What a macro does; the condition of a definition. */
void rule_templates_do(struct rule_templates *t, const char *macro);
const char *rule_templates_condition(struct rule_templates *t, const char *definition);

#endif
