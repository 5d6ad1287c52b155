/* SPDX-License-Identifier: MIT */
/* The printer of compiled models (-dump): nodes in the order of evaluation,
 * numbered, as the language writes them. */
#include "checker/cat/print.h"

#include <string.h>

#include "checker/base/tags.h"
#include "checker/base/text.h"

/* An operand: its number, and its name if it has one. */
static void print_operand(const struct cat_ir *ir, uint32_t node, FILE *out) {
  const struct cat_node *n = &ir->nodes[node];
  if (n->op == CAT_BASE && n->base == BASE_TAG)
    fprintf(out, "%s%s", tags_named(n->base_name) ? "" : "'", n->base_name);
  else if (n->op == CAT_BASE)
    cat_base_print(n->base, out);
  else if (n->op == CAT_EMPTY)
    fputs(n->type == CAT_SET ? "{}" : "0", out);
  else
    fprintf(out, "%u%s%s", node, n->name ? ":" : "", n->name ? n->name : "");
}

static void print_node(const struct cat_ir *ir, const struct cat_node *node, FILE *out) {
  static const struct {
    const char *before, *behind; /* its first operand */
  } forms[] = {[CAT_BASE] = {"", ""},        [CAT_EMPTY] = {"", ""},    [CAT_CHOSEN] = {"chosen", ""},
               [CAT_UNION] = {"", " | "},    [CAT_INTER] = {"", " & "}, [CAT_DIFF] = {"", " \\ "},
               [CAT_COMPL] = {"~", ""},      [CAT_SEQ] = {"", "; "},    [CAT_INVERSE] = {"", "^-1"},
               [CAT_PLUS] = {"", "+"},       [CAT_STAR] = {"", "*"},    [CAT_OPT] = {"", "?"},
               [CAT_TOID] = {"[", "]"},      [CAT_CROSS] = {"", " * "}, [CAT_DOMAIN] = {"domain ", ""},
               [CAT_RANGE] = {"range ", ""}, [CAT_REC] = {"rec ", ""}};
  unsigned operands = cat_operand_count(node->op);
  fputs(forms[node->op].before, out);
  if (operands > 0) print_operand(ir, node->a, out);
  fputs(forms[node->op].behind, out);
  if (operands > 1) print_operand(ir, node->b, out);
}

static void print_check(const struct cat_ir *ir, const struct cat_check *check, FILE *out) {
  static const char *const roles[] = {"", "undefined_unless ", "flag "};
  fprintf(out, "%s%s%s ", roles[check->role], check->negated ? "~" : "", cat_check_word(check->kind));
  print_operand(ir, check->node, out);
  fprintf(out, " as %s\n", check->name);
}

static void print_choice(const struct cat_ir *ir, const struct cat_choice *choice, FILE *out) {
  fprintf(out, "%u %s ", choice->node, choice->orders ? "orders" : "firsts of");
  print_operand(ir, choice->a, out);
  if (choice->orders) fputs(" by ", out);
  if (choice->orders) print_operand(ir, choice->b, out);
  fputc('\n', out);
}

void cat_print(const struct cat_ir *ir, FILE *out) {
  fprintf(out, "model %s", ir->name);
  if (ir->title) fprintf(out, " \"%s\"", ir->title);
  fputs(ir->co == CO_NONE ? " withoutco" : "", out);
  fputs(ir->dynamic ? " dynamic\n" : "\n", out);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    const struct cat_node *node = &ir->nodes[i];
    if (node->op == CAT_BASE || node->op == CAT_EMPTY) continue;
    fprintf(out, "%u%s%s = ", i, node->name ? " " : "", node->name ? node->name : "");
    print_node(ir, node, out);
    fputc('\n', out);
  }
  for (uint32_t i = 0; i < ir->choice_count; i++) print_choice(ir, &ir->choices[i], out);
  for (uint32_t i = 0; i < ir->check_count; i++) print_check(ir, &ir->checks[i], out);
  for (uint32_t i = 0; i < ir->hint_count; i++) {
    fputs("at most ", out);
    print_check(ir, &ir->hints[i].axiom, out);
  }
  for (uint32_t i = 0; i < ir->show_count; i++) {
    fputs("show ", out);
    print_operand(ir, ir->shows[i].node, out);
    fprintf(out, " as %s\n", ir->shows[i].name);
  }
}

bool cat_is_one_of(const struct cat_model *model, const unsigned char (*digests)[MD5_SIZE], unsigned count) {
  unsigned char digest[MD5_SIZE];
  const struct cat_ir *ir = cat_graph(model);
  if (!ir) return false;
  struct text text = text_new();
  cat_print(ir, text.out);
  text_end(&text);
  const char *line = strchr(text.at, '\n'), *from = line ? line + 1 : text.at;
  md5(from, text.size - (size_t)(from - text.at), digest);
  text_free(&text);
  for (unsigned i = 0; i < count; i++)
    if (!memcmp(digest, digests[i], MD5_SIZE)) return true;
  return false;
}
