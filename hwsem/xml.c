/* SPDX-License-Identifier: MIT */
/* Data files: a tree (xml_read.h), looked through for unknown names, with
 * suggestions, then checked against its schema (xml_schema.h), and only then
 * handed out. */
#include "hwsem/xml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/xml_schema.h"

typedef VEC(const char *) names;

struct span xml_span(const struct xml_file *file, const struct xml_node *node) {
  (void)file;
  return node->span;
}

/* No data file is larger. */
static const size_t SIZE_LIMIT = 1u << 20;

static struct xml_node *parse(struct arena *arena, const struct source *source, const char *schema,
                              struct xml_fault *fault, struct diags *diags) {
  if (source->size <= SIZE_LIMIT) return xml_read(arena, source, schema, fault, diags);
  diag_fail(diags, "%s: larger than 1 MiB", source->name);
  return NULL;
}

/* Tree access. */

const struct xml_node *xml_first(const struct xml_node *node) {
  return node->child;
}

const struct xml_node *xml_next(const struct xml_node *node) {
  return node->next;
}

bool xml_is(const struct xml_node *node, const char *name) {
  return !strcmp(node->name, name);
}

const char *xml_text(struct arena *arena, const struct xml_node *node) {
  char *text = arena_strndup(arena, node->text, node->text_length);
  char *out = text;
  for (const char *in = text; *in; in++) {
    bool space = strchr(" \t\r\n", *in) != NULL;
    if (!space)
      *out++ = *in;
    else if (out > text && out[-1] != ' ')
      *out++ = ' ';
  }
  if (out > text && out[-1] == ' ') out--;
  *out = '\0';
  return text;
}

/* Names that a schema knows: values of `name` attributes on its element and
 * attribute patterns. */

static bool known(const names *names_known, const char *name) {
  for (size_t i = 0; i < names_known->count && names_known->at[i]; i++)
    if (!strcmp(names_known->at[i], name)) return true;
  return false;
}

static void add_name(struct arena *arena, names *found, const char *name) {
  if (!known(found, name)) *vec_push(arena, found) = name;
}

static void collect(struct arena *arena, const struct xml_node *node, const char *pattern, names *found) {
  const char *name = xml_is(node, pattern) ? xml_value(node, "name") : NULL;
  if (name) add_name(arena, found, name);
  for (const struct xml_node *child = xml_first(node); child; child = xml_next(child))
    collect(arena, child, pattern, found);
}

struct vocabulary {
  struct arena *arena;
  const struct xml_node *schema;
  names elements, attributes; /* NULL-terminated */
};

/* `, expected A, B or C`. */
static const char *list_of(struct arena *arena, const names *choices) {
  size_t count = choices->count - 1; /* without the NULL at the end */
  return count ? arena_printf(arena, "; expected %s", text_list(arena, choices->at, count, " or ")) : "";
}

enum { MOST_CHOICES = 12 }; /* that a message lists */

/* Values are listed; names of elements and attributes differ from place to place. */
static void complain(const struct xml_file *file, const struct xml_node *node, const char *kind, const char *name,
                     const names *choices, struct diags *diags) {
  struct arena *arena = diags->arena;
  const char *better = suggest(name, choices->at), *hint = suggest_hint(arena, better);
  if (!better && choices->count <= MOST_CHOICES + 1 && strcmp(kind, "element") != 0 && strcmp(kind, "attribute") != 0)
    hint = list_of(arena, choices);
  diag_error(diags, file->source, xml_span(file, node), "unknown %s '%s'%s", kind, name, hint);
}

/* The words that the schema lists for an attribute, wherever it is described.
 * Returns false when it may hold anything else. */
static bool collect_values(struct arena *arena, const struct xml_node *node, const char *attribute, bool inside,
                           names *found) {
  bool listed = true;
  if (xml_is(node, "attribute")) {
    const char *name = xml_value(node, "name");
    inside = name && !strcmp(name, attribute);
  }
  if (inside && (xml_is(node, "data") || xml_is(node, "text"))) listed = false;
  if (inside && xml_is(node, "value")) add_name(arena, found, xml_text(arena, node));
  for (const struct xml_node *child = xml_first(node); child; child = xml_next(child))
    listed &= collect_values(arena, child, attribute, inside, found);
  return listed;
}

static const struct xml_node *find_pattern(struct arena *arena, const struct xml_node *node, const char *pattern,
                                           const char *name) {
  const char *own = xml_is(node, pattern) ? xml_value(node, "name") : NULL;
  if (own && !strcmp(own, name)) return node;
  const struct xml_node *found = NULL;
  for (const struct xml_node *child = xml_first(node); child && !found; child = xml_next(child))
    found = find_pattern(arena, child, pattern, name);
  return found;
}

/* The attributes of an element, each with its words where the schema lists them. */
struct described {
  VEC(struct described_attribute {
    const char *name;
    names words; /* none: any text */
  })
  attributes;
};

static struct described_attribute *describe_attribute(struct arena *arena, struct described *found, const char *name) {
  struct described_attribute *attribute = FIND_ROW(found->attributes.at, found->attributes.count, name, name);
  if (attribute) return attribute;
  attribute = vec_push(arena, &found->attributes);
  *attribute = (struct described_attribute){.name = name};
  return attribute;
}

/* Those below a pattern, but not those of elements within it. */
static void describe(struct arena *arena, const struct xml_node *schema, const struct xml_node *pattern,
                     struct described *found) {
  for (const struct xml_node *part = xml_first(pattern); part; part = xml_next(part)) {
    const char *name = xml_value(part, "name");
    const struct xml_node *definition =
        xml_is(part, "ref") && name ? find_pattern(arena, schema, "define", name) : NULL;
    if (xml_is(part, "attribute") && name)
      collect_values(arena, part, name, false, &describe_attribute(arena, found, name)->words);
    else if (definition && definition != pattern)
      describe(arena, schema, definition, found);
    else if (!xml_is(part, "element"))
      describe(arena, schema, part, found);
  }
}

/* `; <ld> has level (L1, local)`. */
static const char *attributes_of(struct arena *arena, const struct xml_node *schema, const char *element) {
  const struct xml_node *pattern = find_pattern(arena, schema, "element", element);
  struct described found = {0};
  if (!pattern) return "";
  describe(arena, schema, pattern, &found);
  const char *text = arena_printf(arena, "; <%s> has%s", element, found.attributes.count ? "" : " none");
  for (size_t i = 0; i < found.attributes.count; i++) {
    const struct described_attribute *attribute = &found.attributes.at[i];
    text = arena_printf(arena, "%s%s%s", text,
                        i == 0                           ? " "
                        : i + 1 < found.attributes.count ? ", "
                                                         : " and ",
                        attribute->name);
    for (size_t k = 0; k < attribute->words.count; k++)
      text = arena_printf(arena, "%s%s%s", text, k ? ", " : " (", attribute->words.at[k]);
    if (attribute->words.count) text = arena_printf(arena, "%s)", text);
  }
  return text;
}

/* Where an attribute is described as a whole number of a range, is it one? */
static void check_number(const struct xml_file *file, const struct xml_node *node, const char *attribute,
                         const struct vocabulary *words, struct diags *diags) {
  const struct xml_node *pattern = find_pattern(words->arena, words->schema, "attribute", attribute);
  const struct xml_node *data = pattern ? xml_first(pattern) : NULL;
  const char *type = data && xml_is(data, "data") ? xml_value(data, "type") : NULL;
  const struct xml_node *most = type && !strcmp(type, "positiveInteger") ? xml_first(data) : NULL;
  if (!most) return;
  const char *text = xml_value(node, attribute), *limit = xml_text(words->arena, most);
  int64_t value;
  if (!text_is_number(text, 1, strtoll(limit, NULL, 10), &value))
    diag_error(diags, file->source, xml_span(file, node), "%s must be a whole number from 1 to %s, not '%s'", attribute,
               limit, text);
}

static void check_value(const struct xml_file *file, const struct xml_node *node, const char *attribute,
                        const struct vocabulary *words, struct diags *diags) {
  names values = {0};
  if (!collect_values(words->arena, words->schema, attribute, false, &values) || values.count == 0) {
    check_number(file, node, attribute, words, diags);
    return;
  }
  *vec_push(words->arena, &values) = NULL;
  for (const char **word = text_split(words->arena, xml_value(node, attribute), XML_BLANKS, NULL); *word; word++)
    if (!known(&values, *word)) complain(file, node, attribute, *word, &values, diags);
}

static bool has_child(const struct xml_node *node, const char *name) {
  for (const struct xml_node *child = xml_first(node); child; child = xml_next(child))
    if (xml_is(child, name)) return true;
  return false;
}

/* What a pattern asks for without alternatives must be there. */
static void check_required(const struct xml_file *file, const struct xml_node *node, const struct xml_node *pattern,
                           const struct vocabulary *words, struct diags *diags) {
  for (const struct xml_node *part = xml_first(pattern); part; part = xml_next(part)) {
    const char *name = xml_value(part, "name");
    bool attribute = xml_is(part, "attribute"), element = xml_is(part, "element");
    if (xml_is(part, "ref") && name) {
      const struct xml_node *definition = find_pattern(words->arena, words->schema, "define", name);
      if (definition && definition != pattern) check_required(file, node, definition, words, diags);
    } else if (xml_is(part, "oneOrMore")) {
      check_required(file, node, part, words, diags);
    } else if ((attribute && !xml_value(node, name)) || (element && !has_child(node, name))) {
      diag_error(diags, file->source, xml_span(file, node),
                 attribute ? "<%s> lacks its %s=\"...\"" : "<%s> lacks its <%s>", node->name, name);
    }
  }
}

static void check_names(const struct xml_file *file, const struct xml_node *node, const struct vocabulary *words,
                        struct diags *diags) {
  const char *name = node->name;
  if (!known(&words->elements, name)) {
    complain(file, node, "element", name, &words->elements, diags);
    return;
  }
  size_t before = diags->errors;
  for (const struct xml_attribute *a = node->attributes; a; a = a->next) {
    if (known(&words->attributes, a->name))
      check_value(file, node, a->name, words, diags);
    else
      complain(file, node, "attribute", a->name, &words->attributes, diags);
  }
  const struct xml_node *pattern = find_pattern(words->arena, words->schema, "element", name);
  if (!pattern && node == file->root) pattern = words->schema;
  if (pattern && diags->errors == before) check_required(file, node, pattern, words, diags);
  for (const struct xml_node *child = xml_first(node); child; child = xml_next(child))
    check_names(file, child, words, diags);
}

static bool names_are_known(struct arena *arena, const struct xml_file *file, const struct xml_node *schema,
                            struct diags *diags) {
  const struct xml_node *root = schema;
  struct vocabulary words = {.arena = arena, .schema = root};
  /* The root of one schema may have any name: what it says then is a kind. */
  if (xml_is(root, "element") && !xml_value(root, "name")) add_name(arena, &words.elements, file->root->name);
  collect(arena, root, "element", &words.elements);
  collect(arena, root, "attribute", &words.attributes);
  *vec_push(arena, &words.elements) = NULL;
  *vec_push(arena, &words.attributes) = NULL;
  size_t before = diags->errors;
  const char *wanted = words.elements.at[0], *found = file->root->name;
  if (wanted && strcmp(wanted, found) != 0)
    diag_error(diags, file->source, xml_span(file, file->root), "expected a <%s>, but this is a <%s>", wanted, found);
  else
    check_names(file, file->root, &words, diags);
  return diags->errors == before;
}

/* Validation. */

/* What the names alone do not show. */
static void refuse(struct arena *arena, const struct xml_file *file, const struct xml_fault *fault,
                   const struct xml_node *schema, struct diags *diags) {
  const char *name = fault->node->name;
  struct span span = (fault->child ? fault->child : fault->node)->span;
  if (fault->value)
    diag_error(diags, file->source, span, "\"%s\" cannot be the %s of <%s>", fault->attribute->value,
               fault->attribute->name, name);
  else if (fault->attribute)
    diag_error(diags, file->source, span, "'%s' is not an attribute of <%s>, or does not go with its others%s",
               fault->attribute->name, name, attributes_of(arena, schema, name));
  else if (fault->child)
    diag_error(diags, file->source, span, "<%s> cannot stand here in <%s>", fault->child->name, name);
  else
    diag_error(diags, file->source, span, "<%s> does not follow the schema: something lacks, or is too much", name);
}

/* Finding files. */

static bool is_path(const char *name) {
  return strchr(name, '/') || text_ends_in(name, ".xml");
}

/* Without an ending a name is that of an installed file; one in the current folder is a suggestion. */
static const char *locate(struct arena *arena, const char *name, const char *what, const struct xml_folders *search,
                          struct diags *diags) {
  if (is_path(name)) return name;
  const char *file = arena_printf(arena, "%s.xml", name);
  const char *path = path_in_folders(arena, search->folders, search->folder_count, file);
  if (path) return path;
  const char **installed = names_in_folders(arena, search->folders, search->folder_count, ".xml");
  const char *better = path_is_file(file) ? file : suggest(name, installed);
  diag_fail(diags, "unknown %s '%s'%s", what, name, suggest_hint(arena, better));
  return NULL;
}

static const struct xml_node *schema_tree(struct arena *arena, const char *name) {
  struct diags quiet = diags_new(arena);
  const char *text = xml_schema_text(name);
  return xml_read(arena, source_from_text(arena, name, text, strlen(text)), NULL, NULL, &quiet);
}

bool xml_open(struct arena *arena, const char *name, struct xml_kind kind, const struct xml_folders *search,
              struct xml_file *file, struct diags *diags) {
  *file = (struct xml_file){0};
  size_t before = diags->errors;
  const char *path = locate(arena, name, kind.name, search, diags);
  file->source = path ? source_read(arena, path, diags) : NULL;
  struct xml_fault fault;
  file->root = file->source ? parse(arena, file->source, kind.schema, &fault, diags) : NULL;
  if (!file->root) return false;
  const struct xml_node *tree = schema_tree(arena, kind.schema);
  assert(tree); /* a schema that xml_schema.c lists */
  if (names_are_known(arena, file, tree, diags) && fault.node) refuse(arena, file, &fault, tree, diags);
  return diags->errors == before;
}

const char *xml_root_name(struct arena *arena, const char *name, const struct xml_folders *search) {
  struct diags quiet = diags_new(arena);
  const char *path = locate(arena, name, "file", search, &quiet);
  const struct source *source = path ? source_read(arena, path, &quiet) : NULL;
  const struct xml_node *root = source ? parse(arena, source, NULL, NULL, &quiet) : NULL;
  return root ? root->name : NULL;
}

/* The first sentence or line of the root's element `title` or `about`. */
static const char *summary_of(struct arena *arena, const struct xml_node *root) {
  for (const struct xml_node *child = xml_first(root); child; child = xml_next(child)) {
    if (!xml_is(child, "about") && !xml_is(child, "title")) continue;
    const char *text = arena_strndup(arena, child->text, child->text_length);
    text += strspn(text, " \t\r\n");
    return arena_strndup(arena, text, strcspn(text, "\n."));
  }
  return "";
}

bool xml_summarise(struct arena *arena, const char *path, struct xml_summary *summary) {
  struct diags quiet = diags_new(arena);
  const struct source *source = source_read(arena, path, &quiet);
  const struct xml_node *root = source ? parse(arena, source, NULL, NULL, &quiet) : NULL;
  if (root) *summary = (struct xml_summary){root->name, summary_of(arena, root)};
  return root;
}
