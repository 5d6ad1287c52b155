/* SPDX-License-Identifier: MIT */
/* A reader of XML (Extensible Markup Language 1.0, fifth edition) by recursive
 * descent over the text, with all memory from the arena.  libxml2 did this once:
 * when memory ends within it, 2.9 loses text without a word or crashes, and a
 * mapping that lost an attribute gives a wrong verdict.  Names are read as any
 * run of bytes that delimit nothing: which of them may stand in a file is for
 * the schemas to say. */
#include "hwsem/xml_read.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/vec.h"

enum { DEPTH_LIMIT = 200, ATTRIBUTE_LIMIT = 60 };

typedef VEC(char) letters;

struct reader {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  size_t at;
  letters text; /* of the whole document; an element's is a stretch of it */
};

/* ---- characters ---- */

static const char *here(const struct reader *r) {
  return r->source->text + r->at;
}

static bool at_end(const struct reader *r) {
  return r->at >= r->source->size;
}

static bool follows(const struct reader *r, const char *word) {
  size_t length = strlen(word);
  return r->source->size - r->at >= length && !memcmp(here(r), word, length);
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool skip_space(struct reader *r) {
  size_t before = r->at;
  while (!at_end(r) && is_space(*here(r))) r->at++;
  return r->at > before;
}

/* Adds the mistake, and returns false. */
static bool wrong(struct reader *r, size_t at, size_t length, const char *message) {
  diag_error(r->diags, r->source, (struct span){(uint32_t)at, (uint32_t)length}, "%s", message);
  return false;
}

/* Passes what ends in `end`; false: it is not there. */
static bool skip_behind(struct reader *r, const char *end) {
  const char *found = memmem(here(r), r->source->size - r->at, end, strlen(end));
  if (!found) return false;
  r->at = (size_t)(found - r->source->text) + strlen(end);
  return true;
}

static void put(struct reader *r, letters *to, const char *text, size_t length) {
  vec_reserve(r->arena, (void **)&to->at, &to->room, to->count + length + 1, 1);
  memcpy(to->at + to->count, text, length);
  to->count += length;
}

/* A character by its number, in UTF-8. */
static bool put_number(struct reader *r, letters *to, unsigned long number) {
  char text[4];
  size_t length = 0;
  bool control = number < 0x20 && number != '\t' && number != '\n' && number != '\r';
  if (control || number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) return false;
  if (number < 0x80) {
    text[length++] = (char)number;
  } else {
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    int more = number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
    text[length++] = (char)(leads[more] | (number >> 6 * more));
    while (more--) text[length++] = (char)(0x80 | (number >> 6 * more & 0x3f));
  }
  put(r, to, text, length);
  return true;
}

/* `&lt;`, `&#x2014;` */
static bool read_reference(struct reader *r, letters *to) {
  static const char *const names[][2] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!follows(r, names[i][0])) continue;
    r->at += strlen(names[i][0]);
    put(r, to, names[i][1], 1);
    return true;
  }
  if (follows(r, "&#")) {
    bool hexadecimal = here(r)[2] == 'x';
    const char *digits = here(r) + 2 + hexadecimal;
    size_t count = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    if (count && count < 9 && digits[count] == ';' && put_number(r, to, strtoul(digits, NULL, hexadecimal ? 16 : 10))) {
      r->at = (size_t)(digits - r->source->text) + count + 1;
      return true;
    }
  }
  return wrong(r, r->at, 1, "'&' begins no character that is known here: write &amp; for it");
}

/* One character of text, or of a value. */
static bool read_letter(struct reader *r, letters *to) {
  char c = *here(r);
  if (c == '&') return read_reference(r, to);
  if ((unsigned char)c < 0x20 && !is_space(c)) return wrong(r, r->at, 1, "a control character cannot be in XML");
  int length = utf8_length(here(r));
  if (!length) return wrong(r, r->at, 1, "this is no UTF-8");
  put(r, to, here(r), (size_t)length);
  r->at += (size_t)length;
  return true;
}

/* ---- what is passed over ---- */

static bool skip_comment(struct reader *r) {
  size_t start = r->at;
  r->at += strlen("<!--");
  if (!skip_behind(r, "--")) return wrong(r, start, 4, "this comment does not end");
  if (follows(r, ">")) {
    r->at++;
    return true;
  }
  return wrong(r, r->at - 2, 2, "a comment of XML cannot hold '--'");
}

static bool skip_instruction(struct reader *r) {
  size_t start = r->at;
  return skip_behind(r, "?>") || wrong(r, start, 2, "this instruction does not end");
}

/* White space, comments and instructions, before and behind the root. */
static bool skip_misc(struct reader *r) {
  for (;;) {
    skip_space(r);
    if (follows(r, "<!--")) {
      if (!skip_comment(r)) return false;
    } else if (follows(r, "<?")) {
      if (!skip_instruction(r)) return false;
    } else {
      return true;
    }
  }
}

/* ---- elements ---- */

static const char *read_name(struct reader *r) {
  size_t length = 0;
  while (r->at + length < r->source->size && !is_space(here(r)[length]) && !strchr("<>/='\"&?!", here(r)[length]))
    length++;
  const char *name = length && here(r)[0] != '-' && here(r)[0] != '.' ? arena_strndup(r->arena, here(r), length) : NULL;
  for (const char *p = name; p && *p; p += utf8_length(p))
    if (!utf8_length(p) || (unsigned char)*p < 0x20) return NULL;
  r->at += name ? length : 0;
  return name;
}

/* Line breaks and tabs of values are blanks. */
static const char *read_value(struct reader *r) {
  if (at_end(r) || (*here(r) != '"' && *here(r) != '\'')) {
    wrong(r, r->at, 1, "expected a value between quotes");
    return NULL;
  }
  size_t start = r->at;
  char quote = *here(r);
  letters value = {0};
  for (r->at++; !at_end(r) && *here(r) != quote;) {
    if (*here(r) == '<') break;
    if (is_space(*here(r))) {
      put(r, &value, " ", 1);
      r->at++;
    } else if (!read_letter(r, &value)) {
      return NULL;
    }
  }
  if (at_end(r) || *here(r) != quote) {
    wrong(r, start, 1, "this value does not end");
    return NULL;
  }
  r->at++;
  return arena_strndup(r->arena, value.at ? value.at : "", value.count);
}

static bool has_attribute(const struct xml_node *node, const char *name) {
  const struct xml_attribute *a = node->attributes;
  while (a && strcmp(a->name, name) != 0) a = a->next;
  return a;
}

static bool read_attributes(struct reader *r, struct xml_node *node) {
  struct xml_attribute **end = &node->attributes;
  unsigned count = 0;
  while (skip_space(r) && !at_end(r) && !strchr("/>", *here(r))) {
    size_t start = r->at;
    const char *name = read_name(r);
    if (!name) return wrong(r, start, 1, "expected an attribute's name");
    if (++count > ATTRIBUTE_LIMIT) return wrong(r, start, 1, "an element with more than 60 attributes");
    if (has_attribute(node, name)) return wrong(r, start, strlen(name), "this attribute is given twice");
    skip_space(r);
    if (!follows(r, "=")) return wrong(r, r->at, 1, "expected = and a value between quotes");
    r->at++;
    skip_space(r);
    struct xml_attribute *attribute = ARENA_NEW(r->arena, struct xml_attribute);
    *attribute = (struct xml_attribute){.name = name, .value = read_value(r)};
    if (!attribute->value) return false;
    if (!strncmp(name, "xmlns:", 6)) continue; /* names are compared as written, with their prefix */
    *end = attribute;
    end = (struct xml_attribute **)&attribute->next;
  }
  return true;
}

static struct xml_node *read_element(struct reader *r, unsigned depth);

static bool read_cdata(struct reader *r, struct xml_node *node) {
  size_t start = r->at, from = r->at += strlen("<![CDATA[");
  if (!skip_behind(r, "]]>")) return wrong(r, start, 9, "this CDATA does not end");
  put(r, &r->text, r->source->text + from, r->at - from - 3);
  node->has_text = true;
  return true;
}

/* The end tag of the element that was opened. */
static bool read_end_tag(struct reader *r, const struct xml_node *node) {
  size_t start = r->at;
  r->at += 2;
  const char *name = read_name(r);
  skip_space(r);
  if (name && !strcmp(name, node->name) && follows(r, ">")) {
    r->at++;
    return true;
  }
  unsigned line, column;
  source_position(r->source, node->span.at, &line, &column);
  const char *text = arena_printf(r->arena, "Opening and ending tag mismatch: %s line %u and %s", node->name, line,
                                  name ? name : "none");
  return wrong(r, start, r->at - start, text);
}

/* What is between an element's tags. */
static bool read_content(struct reader *r, struct xml_node *node, unsigned depth) {
  for (struct xml_node **end = &node->child; !at_end(r);) {
    if (follows(r, "</")) return read_end_tag(r, node);
    bool good = true;
    if (follows(r, "<!--")) {
      good = skip_comment(r);
    } else if (follows(r, "<![CDATA[")) {
      good = read_cdata(r, node);
    } else if (follows(r, "<?")) {
      good = skip_instruction(r);
    } else if (follows(r, "<")) {
      good = (*end = read_element(r, depth + 1)) != NULL;
      if (good) end = &(*end)->next;
    } else {
      node->has_text |= !is_space(*here(r));
      good = read_letter(r, &r->text);
    }
    if (!good) return false;
  }
  return wrong(r, node->span.at, node->span.length, "this element does not end");
}

static struct xml_node *read_element(struct reader *r, unsigned depth) {
  size_t start = r->at, behind = r->text.count;
  struct xml_node *node = ARENA_NEW(r->arena, struct xml_node);
  r->at++;
  node->name = read_name(r);
  node->span = (struct span){(uint32_t)start, (uint32_t)(r->at - start)};
  if (!node->name || depth > DEPTH_LIMIT) {
    wrong(r, start, 1, node->name ? "elements are nested too deep" : "expected an element's name");
    return NULL;
  }
  if (!read_attributes(r, node)) return NULL;
  bool empty = follows(r, "/>");
  if (!empty && !follows(r, ">")) {
    wrong(r, r->at, 1, "expected > at the end of a tag");
    return NULL;
  }
  r->at += 1 + (size_t)empty;
  node->span.length = (uint32_t)(r->at - start);
  if (!empty && !read_content(r, node, depth)) return NULL;
  node->text_at = behind;
  node->text_length = r->text.count - behind;
  return node;
}

/* Once all text is there, which moves while it grows, elements get their stretches of it. */
static void settle(struct xml_node *node, const char *text) {
  for (; node; node = node->next) {
    node->text = text + node->text_at;
    settle(node->child, text);
  }
}

struct xml_node *xml_read(struct arena *arena, const struct source *source, struct diags *diags) {
  struct reader r = {.arena = arena, .source = source, .diags = diags};
  if (follows(&r, "\xef\xbb\xbf")) r.at += 3;
  if (!skip_misc(&r)) return NULL;
  if (follows(&r, "<!DOCTYPE")) {
    wrong(&r, r.at, 9, "a document type declaration is not allowed here");
    return NULL;
  }
  if (!follows(&r, "<")) {
    wrong(&r, r.at, 1, "Start tag expected, '<' not found");
    return NULL;
  }
  struct xml_node *root = read_element(&r, 0);
  if (!root || !skip_misc(&r)) return NULL;
  if (at_end(&r)) {
    settle(root, r.text.at ? r.text.at : "");
    return root;
  }
  wrong(&r, r.at, 1, "nothing may follow the root element");
  return NULL;
}
