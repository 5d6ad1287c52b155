/* SPDX-License-Identifier: MIT */
/* Rows of instructions below threads side by side: cells between bars,
 * labels, and jumps that are patched once all labels are known; see
 * columns.h. */
#include "checker/litmus/columns.h"

#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/text.h"

struct label {
  const char *name;
  unsigned at;
};

struct pending {
  unsigned at;              /* the jump */
  const struct token *name; /* NULL: to the end */
};

struct column {
  VEC(struct label) labels;
  struct hash_table by_name; /* the labels' numbers, since generated tests have many */
  VEC(struct pending) jumps;
  VEC(const struct token *) cells; /* first token of each cell; read when locations have their numbers */
};

static bool at_end(const struct reader *reader) {
  return reader_is(reader, "|") || reader_is(reader, ";") || reader->token->kind == TOKEN_END;
}

bool cell_at_end(const struct column_cell *cell) {
  return at_end(cell->reader);
}

void cell_take_target(struct column_cell *cell) {
  reader_skip(cell->reader, "@");
  const struct token *name = cell->reader->token;
  reader_take_name(cell->reader, "a label");
  unsigned jump = (unsigned)cell->thread->code.count - 1;
  *vec_push(cell->reader->arena, &cell->column->jumps) = (struct pending){jump, name};
}

void cell_jump_to_end(struct column_cell *cell) {
  unsigned jump = (unsigned)cell->thread->code.count - 1;
  *vec_push(cell->reader->arena, &cell->column->jumps) = (struct pending){jump, NULL};
}

/* --- the text --------------------------------------------------------------------------- */

static void parse_head(struct draft *draft) {
  struct reader *reader = &draft->reader;
  do {
    unsigned number;
    if (!draft_is_thread_name(reader->token, &number)) {
      reader_fail_expected(reader, "a thread such as P0");
      return;
    }
    struct draft_thread *thread = draft_add_thread(draft, reader_take(reader));
    thread->body = ARENA_NEW(reader->arena, struct column);
    draft_parse_place(draft, thread);
  } while (reader_skip(reader, "|"));
  if (reader_is(reader, "("))
    reader_fail(reader, reader->token->span, "threads are columns in %s tests: 'P0 | P1 ;', then rows of instructions",
                draft->dialect->name);
  reader_expect(reader, ";", "after the names of the threads");
}

/* Does a line end between a token and the one before it? */
static bool begins_line(const struct reader *reader, const struct token *token) {
  uint32_t end = token[-1].span.at + token[-1].span.length;
  return memchr(reader->source->text + end, '\n', token->span.at - end) != NULL;
}

/* Notes where the row's cells begin: they are read by `columns_lower`. */
static void parse_row(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token, *next_line = NULL;
  size_t columns = 0;
  do {
    if (columns < draft->threads.count) {
      struct column *column = draft->threads.at[columns].body;
      *vec_push(reader->arena, &column->cells) = reader->token;
    }
    columns++;
    for (; !at_end(reader); reader_take(reader))
      if (columns == draft->threads.count && !next_line && reader->token != first && begins_line(reader, reader->token))
        next_line = reader->token;
  } while (reader_skip(reader, "|"));
  bool wrong = columns > draft->threads.count || !reader_is(reader, ";");
  /* The last column goes on in another line, and then is one too many or never ends. */
  if (wrong && next_line) reader->token = next_line;
  if (!next_line && (columns > draft->threads.count || (columns < draft->threads.count && reader_is(reader, ";"))))
    reader_fail(reader, reader_span_from(reader, first), "this row has %zu column%s, but there are %zu threads",
                columns, columns == 1 ? "" : "s", (size_t)draft->threads.count);
  reader_expect(reader, ";", "at the end of the row");
}

void columns_parse(struct draft *draft) {
  parse_head(draft);
  while (!draft->reader.failed && !draft_at_scope_tree(draft) && !draft_at_condition(draft)) parse_row(draft);
}

/* --- labels and jumps --------------------------------------------------------------------- */

static const struct label *find_label(const struct column *column, const char *name) {
  HASH_EACH (at, &column->by_name, text_hash(TEXT_HASH, name)) {
    const struct label *label = &column->labels.at[hash_number(&column->by_name, at)];
    if (!strcmp(label->name, name)) return label;
  }
  return NULL;
}

static void add_label(struct column_cell *l, const struct token *name) {
  if (find_label(l->column, name->text))
    reader_fail(l->reader, name->span, "duplicate label '%s' in %s", name->text, l->thread->name);
  hash_add(l->reader->arena, &l->column->by_name, text_hash(TEXT_HASH, name->text), (uint32_t)l->column->labels.count);
  *vec_push(l->reader->arena, &l->column->labels) = (struct label){name->text, (unsigned)l->thread->code.count};
}

static void lower_cell(struct column_cell *l, void (*instruction)(struct column_cell *cell)) {
  struct reader *reader = l->reader;
  for (;;) {
    bool at = reader_skip(reader, "@");
    const struct token *name = reader->token;
    if (name->kind != TOKEN_NAME || !token_is(name + 1, ":")) {
      if (at && l->draft->dialect->guards)
        reader->token--;
      else if (at)
        reader_fail_expected(reader, "a label and ':'");
      break;
    }
    add_label(l, name);
    reader_take(reader);
    reader_take(reader);
  }
  if (!cell_at_end(l)) instruction(l);
  if (!cell_at_end(l)) reader_fail_expected(reader, "'|' or ';' after the instruction");
}

static void patch_jumps(struct column_cell *l) {
  struct reader *reader = l->reader;
  const char **words = ROW_TEXTS(reader->arena, l->column->labels.at, l->column->labels.count, name);
  for (size_t i = 0; i < l->column->jumps.count && !reader->failed; i++) {
    const struct pending *jump = &l->column->jumps.at[i];
    const struct label *label = jump->name ? find_label(l->column, jump->name->text) : NULL;
    if (!jump->name)
      l->thread->code.at[jump->at].target = (unsigned)l->thread->code.count;
    else if (label)
      l->thread->code.at[jump->at].target = label->at;
    else
      reader_fail(reader, jump->name->span, "%s has no label '%s'%s", l->thread->name, jump->name->text,
                  reader_hint(reader, jump->name->text, words));
  }
}

void columns_lower(struct draft *draft, void (*instruction)(struct column_cell *cell)) {
  struct reader *reader = &draft->reader;
  for (size_t i = 0; i < draft->threads.count && !reader->failed; i++) {
    struct column_cell l = {draft, reader, &draft->threads.at[i], draft->threads.at[i].body};
    for (size_t row = 0; row < l.column->cells.count && !reader->failed; row++) {
      reader->token = l.column->cells.at[row];
      lower_cell(&l, instruction);
    }
    if (!reader->failed) patch_jumps(&l);
  }
}

static int width_of(const struct cells_text *cells) {
  size_t width = 0;
  for (size_t i = 0; i < cells->count; i++)
    if (strlen(cells->at[i]) > width) width = strlen(cells->at[i]);
  return (int)width;
}

void columns_write(struct arena *arena, const struct cells_text *threads, unsigned count, FILE *out) {
  int *width = ARENA_ARRAY(arena, int, count + 1);
  bool some = true;
  for (unsigned t = 0; t < count; t++) width[t] = width_of(&threads[t]);
  for (size_t row = 0; some; row++) {
    some = false;
    for (unsigned t = 0; t < count; t++) some |= row < threads[t].count;
    for (unsigned t = 0; some && t < count; t++)
      fprintf(out, "%s%-*s ", t ? "| " : " ", width[t], row < threads[t].count ? threads[t].at[row] : "");
    if (some) fputs(";\n", out);
  }
}
