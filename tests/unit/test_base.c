/* SPDX-License-Identifier: MIT */
/* Arena, vectors, texts, sources, diagnostics and suggestions. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/arena.h"
#include "checker/base/array.h"
#include "checker/base/available_memory.h"
#include "checker/base/diag.h"
#include "checker/base/hash_table.h"
#include "checker/base/path.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "tests/unit/unit.h"

TEST(test_arena_blocks) {
  struct arena *arena = arena_new();
  for (size_t size = 0; size < 100000; size = size * 3 + 1) {
    unsigned char *block = arena_alloc(arena, size);
    assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(block[i], 0);
    memset(block, 0xff, size);
  }
  assert_string_equal(arena_strdup(arena, "litmus"), "litmus");
  assert_string_equal(arena_strndup(arena, "litmus", 3), "lit");
  assert_string_equal(arena_printf(arena, "P%d:r%d=%s", 1, 20, "x"), "P1:r20=x");
  arena_free(arena);
  arena_free(NULL);
}

TEST(test_vec_grows) {
  struct arena *arena = *state;
  VEC(unsigned) squares = {0};
  for (unsigned i = 0; i < 1000; i++) {
    unsigned *last = vec_push(arena, &squares);
    assert_int_equal(*last, 0);
    *last = i * i;
  }
  assert_int_equal(squares.count, 1000);
  for (unsigned i = 0; i < 1000; i++) assert_int_equal(squares.at[i], i * i);
}

/* Every number is found, those of one hash together, across all growth. */
TEST(test_hash_table) {
  struct arena *arena = *state;
  struct hash_table table = {0};
  HASH_EACH (at, &table, 7) fail();
  for (uint32_t number = 0; number < 1000; number++) hash_add(arena, &table, number / 2 * 0x100000001u, number);
  for (uint32_t i = 0; i < 500; i++) {
    unsigned found = 0;
    HASH_EACH (at, &table, i * 0x100000001u) {
      assert_int_equal(hash_number(&table, at) / 2, i);
      found++;
    }
    assert_int_equal(found, 2);
  }
  HASH_EACH (at, &table, 500 * 0x100000001u) fail();
  struct hash_table set = {0};
  for (unsigned round = 0; round < 2; round++)
    for (uint64_t hash = 0; hash < 300; hash++) assert_int_equal(hash_is_new(arena, &set, hash << 60 | hash), !round);
}

TEST(test_positions) {
  struct arena *arena = *state;
  const struct source *source = source_from_text(arena, "t", "ab\n\ncd", 6);
  static const unsigned EXPECTED[][3] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {5, 3, 2}, {6, 3, 3}, {99, 3, 3}};
  for (size_t i = 0; i < ARRAY_COUNT(EXPECTED); i++) {
    unsigned line, column;
    source_position(source, EXPECTED[i][0], &line, &column);
    assert_int_equal(line, EXPECTED[i][1]);
    assert_int_equal(column, EXPECTED[i][2]);
  }
}

/* What diags_print writes about one span of a text. */
static char *printed(struct arena *arena, const char *text, size_t size, struct span span) {
  const struct source *source = source_from_text(arena, "x.litmus", text, size);
  struct diags diags = diags_new(arena);
  diag_error(&diags, source, span, "no %s", "good");
  struct text out = text_new();
  diags_print(&diags, out.out);
  return text_keep(&out, arena);
}

TEST(test_carets) {
  struct arena *arena = *state;
  assert_string_equal(printed(arena, "one\ntwo three\n", 14, (struct span){8, 5}),
                      "x.litmus:2:5: error: no good\n"
                      "     2 | two three\n"
                      "       |     ^~~~~\n");
  /* A span over the line's end stops there; a point has one caret. */
  assert_string_equal(printed(arena, "one\ntwo", 7, (struct span){1, 50}),
                      "x.litmus:1:2: error: no good\n"
                      "     1 | one\n"
                      "       |  ^~\n");
  assert_string_equal(printed(arena, "one\n", 4, (struct span){4, 0}),
                      "x.litmus:2:1: error: no good\n"
                      "     2 | \n"
                      "       | ^\n");
  /* Tabs and NUL bytes take one column each. */
  assert_string_equal(printed(arena, "\ta\0b", 4, (struct span){3, 1}),
                      "x.litmus:1:4: error: no good\n"
                      "     1 |  a b\n"
                      "       |    ^\n");
  assert_string_equal(printed(arena, "", 0, (struct span){77, 3}),
                      "x.litmus:1:1: error: no good\n"
                      "     1 | \n"
                      "       | ^\n");
}

/* A line of a megabyte is quoted in part, around the caret, and the caret
 * stands below its column. */
TEST(test_long_line) {
  struct arena *arena = *state;
  size_t size = 1u << 20;
  char *text = malloc(size);
  assert_non_null(text);
  memset(text, '.', size);
  text[700000] = '#';
  const char *message = printed(arena, text, size, (struct span){700000, 1});
  assert_true(strlen(message) < 1000);
  const char *quoted = strchr(message, '\n') + 1;
  const char *below = strchr(quoted, '\n') + 1;
  assert_int_equal(strchr(quoted, '#') - quoted, strchr(below, '^') - below);
  free(text);
}

TEST(test_severities) {
  struct arena *arena = *state;
  struct diags diags = diags_new(arena);
  diag_warning(&diags, NULL, (struct span){0}, "careful");
  diag_note(&diags, NULL, (struct span){0}, "by the way");
  assert_int_equal(diags.errors, 0);
  diag_error(&diags, NULL, (struct span){0}, "wrong");
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.count, 3);
  assert_string_equal(diags.at[0].severity, "warning");
  assert_string_equal(diags.at[1].severity, "note");
  assert_string_equal(diags.at[2].severity, "error");
}

TEST(test_reading) {
  struct arena *arena = *state;
  struct diags diags = diags_new(arena);
  char path[] = "/tmp/litscope-unit-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  static const char TEXT[] = "OpenCL X\0y\n";
  assert_int_equal(write(file, TEXT, sizeof TEXT - 1), sizeof TEXT - 1);
  close(file);
  const struct source *source = source_read(arena, path, &diags);
  assert_non_null(source);
  assert_int_equal(source->size, sizeof TEXT - 1);
  assert_memory_equal(source->text, TEXT, sizeof TEXT);
  unlink(path);
  assert_int_equal(diags.errors, 0);

  assert_null(source_read(arena, path, &diags));
  assert_null(source_read(arena, "/", &diags));
  assert_int_equal(diags.errors, 2);
  assert_non_null(strstr(diags.at[0].message, "No such file"));
  assert_non_null(strstr(diags.at[1].message, "folder"));
}

TEST(test_suggestions) {
  static const char *const LETTERS[] = {"I", "j", "or", NULL};
  static const char *const WORDS[] = {"memory_order_acquire", "memory_order_release", "wg", "dev", NULL};
  assert_string_equal(suggest("memory_order_aquire", WORDS), "memory_order_acquire");
  assert_string_equal(suggest("memory_order_erlease", WORDS), "memory_order_release");
  assert_string_equal(suggest("gw", WORDS), "wg");
  assert_null(suggest("r", LETTERS));
  assert_string_equal(suggest("i", LETTERS), "I");
  assert_string_equal(suggest("dev", WORDS), "dev");
  assert_null(suggest("banana", WORDS));
  assert_null(suggest("", (const char *const[]){NULL}));
  char endless[5000];
  memset(endless, 'm', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  assert_null(suggest(endless, WORDS));
  struct arena *arena = *state;
  assert_string_equal(suggest_hint(arena, suggest("gw", WORDS)), "; did you mean 'wg'?");
  assert_string_equal(suggest_hint(arena, suggest("banana", WORDS)), "");
}

TEST(test_texts) {
  struct arena *arena = *state;
  struct text text = text_new();
  assert_string_equal(text_keep(&text, arena), "");
  text = text_new();
  for (int i = 0; i < 100000; i++) fprintf(text.out, "%d\n", i % 10);
  text_end(&text);
  assert_int_equal(text.size, 200000);
  assert_int_equal(text.at[199998], '9');
  text_free(&text);
}

/* Every spelling finds its tag, no tag has another's, and a name that is none finds nothing. */
TEST(test_tags) {
  for (int tag = 0; tag < TAG_COUNT; tag++) assert_true(tags_named(tag_names((enum tag)tag)) == tag_bit((enum tag)tag));
  assert_true(tags_named("REM") == tag_bit(TAG_REMOTE));
  assert_true(tags_named("GEN remote") == (tag_bit(TAG_GEN) | tag_bit(TAG_REMOTE)));
  assert_true(tags_named("gen SC SC00 S") == 0);
  assert_true(tags_named("") == 0);
  assert_string_equal(tag_text(TAG_NONPRIV, tag_bit(TAG_NONPRIV)), "nonpriv");
  assert_string_equal(tag_text(TAG_NONPRIV, tag_bit(TAG_NONPRIV) | tag_bit(TAG_AV)), "");
  assert_string_equal(tag_text(TAG_SUR, tag_bit(TAG_TEX)), "");
}

/* A file below a folder, with the folders on its way. */
static void put_file(const char *root, const char *name, const char *text) {
  char path[400];
  int length = snprintf(path, sizeof path, "%s%s", root, name);
  for (int i = (int)strlen(root) + 1; i < length; i++) {
    if (path[i] != '/') continue;
    path[i] = '\0';
    mkdir(path, 0700);
    path[i] = '/';
  }
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* The least limit of a control group and of those above it, of both versions. */
TEST(test_memory) {
  char root[] = "/tmp/litscope-memory-XXXXXX", command[60];
  assert_non_null(mkdtemp(root));
  uint64_t machine = memory_bytes(root);
  assert_true(machine > 1 << 20);
  put_file(root, "/proc/self/cgroup", "1:cpu:/a\n4:memory:/a/b\n0::/c/d\n");
  assert_true(memory_bytes(root) == machine);
  put_file(root, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000000\n");
  put_file(root, "/sys/fs/cgroup/c/d/memory.max", "max\n");
  assert_int_equal(memory_bytes(root), 3000000);
  put_file(root, "/sys/fs/cgroup/c/memory.max", "2000000\n");
  assert_int_equal(memory_bytes(root), 2000000);
  put_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
  assert_int_equal(memory_bytes(root), 1000000);
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

/* Lists within a text, and what is in them. */
TEST(test_lists) {
  struct arena *arena = *state;
  size_t count;
  const char **pieces = text_split(arena, ",a,, b|c,", ",|", &count);
  assert_int_equal(count, 3);
  assert_string_equal(pieces[0], "a");
  assert_string_equal(pieces[1], " b");
  assert_string_equal(pieces[2], "c");
  assert_null(pieces[3]);
  assert_int_equal(text_place("c", pieces), 2);
  assert_int_equal(text_place("b", pieces), -1);
  assert_int_equal(text_place("b", NULL), -1);
  assert_null(text_split(arena, "", ",", &count)[0]);
  assert_int_equal(count, 0);
}

TEST(test_paths) {
  struct arena *arena = *state;
  assert_string_equal(path_last("a/b.c"), "b.c");
  assert_string_equal(path_last("b.c"), "b.c");
  assert_string_equal(path_folder(arena, "a/b/c"), "a/b/");
  assert_string_equal(path_folder(arena, "/c"), "/");
  assert_string_equal(path_folder(arena, "c"), "");
  assert_false(path_is_file("tests/unit"));
  assert_null(folder_names(arena, "tests/no such folder", ""));
  const char **names = folder_names(arena, "tests/unit", ".h");
  assert_string_equal(names[0], "unit");
  assert_null(names[1]);
  const char *const folders[] = {"tests", "tests/unit"};
  assert_string_equal(path_in_folders(arena, folders, 2, "unit.h"), "tests/unit/unit.h");
  assert_null(path_in_folders(arena, folders, 2, "unit")); /* a folder */
}

TEST(test_numbers) {
  int64_t number;
  assert_true(text_is_number("-12", -12, 0, &number));
  assert_int_equal(number, -12);
  static const char *const WRONG[] = {"", "-", "+1", " 1", "1 ", "0x1", "11", "-1", "99999999999999999999"};
  for (size_t i = 0; i < ARRAY_COUNT(WRONG); i++) assert_false(text_is_number(WRONG[i], 0, 10, &number));
}
