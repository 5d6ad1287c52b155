/* SPDX-License-Identifier: MIT */
/* Reading of XML data files with libxml2: parse from memory, refuse document
 * types, look for unknown names, validate, and only then hand the tree out. */
#include "hwsem/xml.h"

#include <dirent.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/vec.h"

typedef VEC(const char *) names;

/* Spans. */

static struct span line_span(const struct source *source, long line) {
  size_t at = 0;
  for (long i = 1; i < line && at < source->size; i++) {
    const char *end = memchr(source->text + at, '\n', source->size - at);
    if (!end) break;
    at = (size_t)(end - source->text) + 1;
  }
  while (at < source->size && (source->text[at] == ' ' || source->text[at] == '\t')) at++;
  size_t end = at;
  while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r') end++;
  return (struct span){(uint32_t)at, (uint32_t)(end - at)};
}

struct span xml_span(const struct xml_file *file, const xmlNode *node) {
  return line_span(file->source, xmlGetLineNo(node));
}

/* Errors of libxml2 become diagnostics: the first of each kind of failure says
 * most, those that follow are its echoes. */

struct report {
  const struct source *source;
  struct diags *diags;
  unsigned count;
  const xmlNode *schema; /* root of the schema that is followed; NULL: none */
};

static const char *attributes_of(struct arena *arena, const xmlNode *schema, const char *element);

static void take_error(void *context, xmlErrorPtr error) {
  struct report *report = context;
  if (!error->message || report->count++ > 0) return;
  int length = (int)strcspn(error->message, "\n");
  if (error->domain == XML_FROM_RELAXNGV && error->code == XML_RELAXNG_ERR_INVALIDATTR && error->str1 && error->str2)
    diag_error(report->diags, report->source, line_span(report->source, error->line),
               "'%s' is no attribute of <%s>, or does not go with its others%s", error->str1, error->str2,
               report->schema ? attributes_of(report->diags->arena, report->schema, error->str2) : "");
  else
    diag_error(report->diags, report->source, line_span(report->source, error->line), "%.*s", length, error->message);
}

/* All errors of parsing go to this thread's handler, those of encodings too,
 * which are raised outside the parser's context. */
static xmlDoc *read_document(xmlParserCtxt *context, const struct source *source, struct report *report) {
  xmlStructuredErrorFunc handler = xmlStructuredError;
  void *handler_context = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(report, take_error);
  xmlDoc *doc = xmlCtxtReadMemory(context, source->text, (int)source->size, source->name, NULL,
                                  XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlSetStructuredErrorFunc(handler_context, handler);
  return doc;
}

/* Behind `end`, from `at` on; the end of the text when there is none. */
static size_t skip_behind(const struct source *source, size_t at, const char *end) {
  const char *found = memmem(source->text + at, source->size - at, end, strlen(end));
  return found ? (size_t)(found - source->text) + strlen(end) : source->size;
}

/* Where a comment holds `--`, which XML does not allow and libxml2 takes
 * quadratic time to say; the end of the text: nowhere. */
static size_t find_hyphens(const struct source *source) {
  const char *text = source->text;
  for (size_t at = 0; at < source->size;) {
    const char *left = memchr(text + at, '<', source->size - at);
    if (!left) break;
    at = (size_t)(left - text);
    if (!strncmp(left, "<!--", 4)) {
      size_t behind = skip_behind(source, at + 4, "--");
      if (behind < source->size && text[behind] != '>') return behind - 2;
      at = behind;
    } else if (!strncmp(left, "<![CDATA[", 9)) {
      at = skip_behind(source, at, "]]>");
    } else {
      at = left[1] == '?' ? skip_behind(source, at, "?>") : at + 1;
    }
  }
  return source->size;
}

/* No data file is larger. */
static const size_t SIZE_LIMIT = 1u << 20;

static bool is_worth_parsing(const struct source *source, struct diags *diags) {
  if (source->size > SIZE_LIMIT) {
    diag_error(diags, NULL, (struct span){0, 0}, "%s: larger than 1 MiB", source->name);
    return false;
  }
  size_t hyphens = find_hyphens(source);
  if (hyphens == source->size) return true;
  diag_error(diags, source, (struct span){(uint32_t)hyphens, 2}, "a comment of XML cannot hold '--'");
  return false;
}

static xmlDoc *parse(const struct source *source, struct diags *diags) {
  if (!is_worth_parsing(source, diags)) return NULL;
  xmlParserCtxt *context = xmlNewParserCtxt();
  if (!context) return NULL;
  struct diags found = diags_new(diags->arena);
  struct report report = {.source = source, .diags = &found};
  xmlDoc *doc = read_document(context, source, &report);
  xmlFreeParserCtxt(context);
  /* The first error says what is wrong; those after it come of reading on. */
  if (!doc && found.count)
    diag_error(diags, source, found.at[0].span, "%s", found.at[0].message);
  else if (!doc)
    diag_error(diags, source, (struct span){0, 0}, "this is not XML");
  if (doc && doc->intSubset) {
    diag_error(diags, source, (struct span){0, 0}, "a document type declaration is not allowed here");
    xmlFreeDoc(doc);
    doc = NULL;
  }
  return doc;
}

/* Tree access. */

xmlNode *xml_first(const xmlNode *node) {
  return xmlFirstElementChild((xmlNode *)node);
}

xmlNode *xml_next(const xmlNode *node) {
  return xmlNextElementSibling((xmlNode *)node);
}

bool xml_is(const xmlNode *node, const char *name) {
  return !strcmp((const char *)node->name, name);
}

const char *xml_attribute(struct arena *arena, const xmlNode *node, const char *name) {
  xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
  if (!value) return NULL;
  const char *copy = arena_strdup(arena, (const char *)value);
  xmlFree(value);
  return copy;
}

static char *content_of(struct arena *arena, const xmlNode *node) {
  xmlChar *content = xmlNodeGetContent(node);
  char *text = arena_strdup(arena, content ? (const char *)content : "");
  xmlFree(content);
  return text;
}

const char *xml_text(struct arena *arena, const xmlNode *node) {
  char *text = content_of(arena, node), *out = text;
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

static void collect(struct arena *arena, const xmlNode *node, const char *pattern, names *found) {
  const char *name = xml_is(node, pattern) ? xml_attribute(arena, node, "name") : NULL;
  if (name) add_name(arena, found, name);
  for (const xmlNode *child = xml_first(node); child; child = xml_next(child)) collect(arena, child, pattern, found);
}

struct vocabulary {
  struct arena *arena;
  const xmlNode *schema;
  names elements, attributes; /* NULL-terminated */
};

/* `, expected A, B or C`. */
static const char *list_of(struct arena *arena, const names *choices) {
  const char *text = "";
  size_t count = choices->count - 1; /* without the NULL at the end */
  for (size_t i = 0; i < count; i++)
    text = arena_printf(arena, "%s%s%s", text, i == 0 ? "; expected " : i + 1 < count ? ", " : " or ", choices->at[i]);
  return text;
}

enum { MOST_CHOICES = 12 }; /* that a message lists */

/* Values are listed; names of elements and attributes differ from place to place. */
static void complain(const struct xml_file *file, const xmlNode *node, const char *kind, const char *name,
                     struct arena *arena, const names *choices, struct diags *diags) {
  const char *better = suggest(name, choices->at), *hint = suggest_hint(arena, better);
  if (!better && choices->count <= MOST_CHOICES + 1 && strcmp(kind, "element") != 0 && strcmp(kind, "attribute") != 0)
    hint = list_of(arena, choices);
  diag_error(diags, file->source, xml_span(file, node), "unknown %s '%s'%s", kind, name, hint);
}

/* The words that the schema lists for an attribute, wherever it is described.
 * Returns false when it may hold anything else. */
static bool collect_values(struct arena *arena, const xmlNode *node, const char *attribute, bool inside, names *found) {
  bool listed = true;
  if (xml_is(node, "attribute")) {
    const char *name = xml_attribute(arena, node, "name");
    inside = name && !strcmp(name, attribute);
  }
  if (inside && (xml_is(node, "data") || xml_is(node, "text"))) listed = false;
  if (inside && xml_is(node, "value")) add_name(arena, found, xml_text(arena, node));
  for (const xmlNode *child = xml_first(node); child; child = xml_next(child))
    listed &= collect_values(arena, child, attribute, inside, found);
  return listed;
}

static const xmlNode *find_pattern(struct arena *arena, const xmlNode *node, const char *pattern, const char *name) {
  const char *own = xml_is(node, pattern) ? xml_attribute(arena, node, "name") : NULL;
  if (own && !strcmp(own, name)) return node;
  const xmlNode *found = NULL;
  for (const xmlNode *child = xml_first(node); child && !found; child = xml_next(child))
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
  for (size_t i = 0; i < found->attributes.count; i++)
    if (!strcmp(found->attributes.at[i].name, name)) return &found->attributes.at[i];
  struct described_attribute *attribute = vec_push(arena, &found->attributes);
  *attribute = (struct described_attribute){.name = name};
  return attribute;
}

/* Those below a pattern, but not those of elements within it. */
static void describe(struct arena *arena, const xmlNode *schema, const xmlNode *pattern, struct described *found) {
  for (const xmlNode *part = xml_first(pattern); part; part = xml_next(part)) {
    const char *name = xml_attribute(arena, part, "name");
    const xmlNode *definition = xml_is(part, "ref") && name ? find_pattern(arena, schema, "define", name) : NULL;
    if (xml_is(part, "attribute") && name)
      collect_values(arena, part, name, false, &describe_attribute(arena, found, name)->words);
    else if (definition && definition != pattern)
      describe(arena, schema, definition, found);
    else if (!xml_is(part, "element"))
      describe(arena, schema, part, found);
  }
}

/* `; <ld> has level (L1, local)`. */
static const char *attributes_of(struct arena *arena, const xmlNode *schema, const char *element) {
  const xmlNode *pattern = find_pattern(arena, schema, "element", element);
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
static void check_number(const struct xml_file *file, const xmlNode *node, const char *attribute,
                         const struct vocabulary *words, struct diags *diags) {
  const xmlNode *pattern = find_pattern(words->arena, words->schema, "attribute", attribute);
  const xmlNode *data = pattern ? xml_first(pattern) : NULL;
  const char *type = data && xml_is(data, "data") ? xml_attribute(words->arena, data, "type") : NULL;
  const xmlNode *most = type && !strcmp(type, "positiveInteger") ? xml_first(data) : NULL;
  if (!most) return;
  const char *text = xml_attribute(words->arena, node, attribute), *limit = xml_text(words->arena, most);
  char *end;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end || value < 1 || value > strtoll(limit, NULL, 10))
    diag_error(diags, file->source, xml_span(file, node), "%s must be a whole number from 1 to %s, not '%s'", attribute,
               limit, text);
}

static void check_value(const struct xml_file *file, const xmlNode *node, const char *attribute,
                        const struct vocabulary *words, struct diags *diags) {
  names values = {0};
  if (!collect_values(words->arena, words->schema, attribute, false, &values) || values.count == 0) {
    check_number(file, node, attribute, words, diags);
    return;
  }
  *vec_push(words->arena, &values) = NULL;
  char *rest = arena_strdup(words->arena, xml_attribute(words->arena, node, attribute)), *word;
  while ((word = strsep(&rest, " \t\r\n")))
    if (*word && !known(&values, word)) complain(file, node, attribute, word, words->arena, &values, diags);
}

static bool has_child(const xmlNode *node, const char *name) {
  for (const xmlNode *child = xml_first(node); child; child = xml_next(child))
    if (xml_is(child, name)) return true;
  return false;
}

/* What a pattern asks for without alternatives must be there. */
static void check_required(const struct xml_file *file, const xmlNode *node, const xmlNode *pattern,
                           const struct vocabulary *words, struct diags *diags) {
  for (const xmlNode *part = xml_first(pattern); part; part = xml_next(part)) {
    const char *name = xml_attribute(words->arena, part, "name");
    bool attribute = xml_is(part, "attribute"), element = xml_is(part, "element");
    if (xml_is(part, "ref") && name) {
      const xmlNode *definition = find_pattern(words->arena, words->schema, "define", name);
      if (definition && definition != pattern) check_required(file, node, definition, words, diags);
    } else if (xml_is(part, "oneOrMore")) {
      check_required(file, node, part, words, diags);
    } else if ((attribute && !xmlHasProp((xmlNode *)node, (const xmlChar *)name)) ||
               (element && !has_child(node, name))) {
      diag_error(diags, file->source, xml_span(file, node),
                 attribute ? "<%s> lacks its %s=\"...\"" : "<%s> lacks a <%s>", (const char *)node->name, name);
    }
  }
}

static void check_names(const struct xml_file *file, const xmlNode *node, const struct vocabulary *words,
                        struct diags *diags) {
  const char *name = (const char *)node->name;
  if (!known(&words->elements, name)) {
    complain(file, node, "element", name, words->arena, &words->elements, diags);
    return;
  }
  size_t before = diags->errors;
  for (const xmlAttr *a = node->properties; a; a = a->next) {
    const char *attribute = (const char *)a->name;
    if (a->ns)
      attribute = arena_printf(words->arena, "%s:%s", a->ns->prefix ? (const char *)a->ns->prefix : "", attribute);
    if (known(&words->attributes, attribute))
      check_value(file, node, attribute, words, diags);
    else
      complain(file, node, "attribute", attribute, words->arena, &words->attributes, diags);
  }
  const xmlNode *pattern = find_pattern(words->arena, words->schema, "element", name);
  if (!pattern && node == file->root) pattern = words->schema;
  if (pattern && diags->errors == before) check_required(file, node, pattern, words, diags);
  for (const xmlNode *child = xml_first(node); child; child = xml_next(child)) check_names(file, child, words, diags);
}

static bool names_are_known(struct arena *arena, const struct xml_file *file, const xmlDoc *schema,
                            struct diags *diags) {
  const xmlNode *root = xmlDocGetRootElement((xmlDoc *)schema);
  struct vocabulary words = {.arena = arena, .schema = root};
  /* The root of one schema may have any name: what it says then is a kind. */
  if (xml_is(root, "element") && !xmlHasProp(root, BAD_CAST "name"))
    add_name(arena, &words.elements, (const char *)file->root->name);
  collect(arena, root, "element", &words.elements);
  collect(arena, root, "attribute", &words.attributes);
  *vec_push(arena, &words.elements) = NULL;
  *vec_push(arena, &words.attributes) = NULL;
  size_t before = diags->errors;
  const char *wanted = words.elements.at[0], *found = (const char *)file->root->name;
  if (wanted && strcmp(wanted, found) != 0)
    diag_error(diags, file->source, xml_span(file, file->root), "expected a <%s>, but this is a <%s>", wanted, found);
  else
    check_names(file, file->root, &words, diags);
  return diags->errors == before;
}

/* Validation. */

static bool validate(const struct xml_file *file, xmlDoc *schema_doc, const struct source *schema_source,
                     struct diags *diags) {
  /* The schema's tree is changed by being read: this one is for messages. */
  xmlDoc *plain = xmlCopyDoc(schema_doc, 1);
  const xmlNode *root = plain ? xmlDocGetRootElement(plain) : NULL;
  struct report schema_report = {.source = schema_source, .diags = diags};
  struct report report = {.source = file->source, .diags = diags, .schema = root};
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewDocParserCtxt(schema_doc);
  xmlRelaxNGSetParserStructuredErrors(parser, take_error, &schema_report);
  xmlRelaxNG *schema = parser ? xmlRelaxNGParse(parser) : NULL;
  xmlRelaxNGFreeParserCtxt(parser);
  if (!schema) {
    xmlFreeDoc(plain);
    return false;
  }
  xmlRelaxNGValidCtxt *context = xmlRelaxNGNewValidCtxt(schema);
  xmlRelaxNGSetValidStructuredErrors(context, take_error, &report);
  int result = context ? xmlRelaxNGValidateDoc(context, file->doc) : -1;
  xmlRelaxNGFreeValidCtxt(context);
  xmlRelaxNGFree(schema);
  xmlFreeDoc(plain);
  if (result != 0 && report.count == 0)
    diag_error(diags, file->source, (struct span){0, 0}, "does not follow the schema %s", schema_source->name);
  return result == 0;
}

/* Finding files. */

static bool is_path(const char *name) {
  size_t length = strlen(name);
  return strchr(name, '/') || (length > 4 && !strcmp(name + length - 4, ".xml"));
}

static const char *find_file(struct arena *arena, const char *name, const char *ending,
                             const struct xml_search *search) {
  for (unsigned i = 0; i < search->folder_count; i++) {
    const char *path = arena_printf(arena, "%s/%s%s", search->folders[i], name, ending);
    if (access(path, R_OK) == 0) return path;
  }
  return NULL;
}

static const char *find_schema(struct arena *arena, const char *path, const char *schema,
                               const struct xml_search *search) {
  const char *slash = strrchr(path, '/');
  const char *beside = slash ? arena_printf(arena, "%.*s/%s", (int)(slash - path), path, schema) : schema;
  return access(beside, R_OK) == 0 ? beside : find_file(arena, schema, "", search);
}

static bool check(struct arena *arena, struct xml_file *file, const char *schema, const char *what,
                  const struct xml_search *search, struct diags *diags) {
  const char *path = find_schema(arena, file->source->name, schema, search);
  if (!path) {
    diag_error(diags, NULL, (struct span){0, 0}, "cannot find the schema %s for %s %s", schema, what,
               file->source->name);
    return false;
  }
  struct source *source = source_read(arena, path, diags);
  xmlDoc *doc = source ? parse(source, diags) : NULL;
  if (!doc) return false;
  bool good = names_are_known(arena, file, doc, diags) && validate(file, doc, source, diags);
  xmlFreeDoc(doc);
  return good;
}

static const char *locate(struct arena *arena, const char *name, const char *what, const struct xml_search *search,
                          struct diags *diags) {
  if (is_path(name)) return name;
  const char *path = find_file(arena, name, ".xml", search);
  if (path) return path;
  size_t count;
  const char *better = suggest(name, xml_list(arena, search, NULL, &count));
  diag_error(diags, NULL, (struct span){0, 0}, "unknown %s '%s'%s", what, name, suggest_hint(arena, better));
  return NULL;
}

bool xml_open(struct arena *arena, const char *name, const char *schema, const char *what,
              const struct xml_search *search, struct xml_file *file, struct diags *diags) {
  *file = (struct xml_file){0};
  const char *path = locate(arena, name, what, search, diags);
  file->source = path ? source_read(arena, path, diags) : NULL;
  file->doc = file->source ? parse(file->source, diags) : NULL;
  if (!file->doc) return false;
  file->root = xmlDocGetRootElement(file->doc);
  if (check(arena, file, schema, what, search, diags)) return true;
  xml_close(file);
  return false;
}

void xml_close(struct xml_file *file) {
  xmlFreeDoc(file->doc);
  file->doc = NULL;
  file->root = NULL;
}

const char *xml_root_name(struct arena *arena, const char *name, const struct xml_search *search) {
  struct diags quiet = diags_new(arena);
  const char *path = locate(arena, name, "file", search, &quiet);
  const struct source *source = path ? source_read(arena, path, &quiet) : NULL;
  xmlDoc *doc = source ? parse(source, &quiet) : NULL;
  const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
  const char *found = root ? arena_strdup(arena, (const char *)root->name) : NULL;
  xmlFreeDoc(doc);
  return found;
}

/* The first sentence or line of the root's element `title` or `about`, or of its
 * attribute of that name. */
static const char *summary_of(struct arena *arena, const xmlNode *root) {
  const char *text = xml_attribute(arena, root, "about");
  for (const xmlNode *child = xml_first(root); child && !text; child = xml_next(child))
    if (xml_is(child, "about") || xml_is(child, "title")) text = content_of(arena, child);
  if (!text) return "";
  text += strspn(text, " \t\r\n");
  return arena_strndup(arena, text, strcspn(text, "\n."));
}

bool xml_summarise(struct arena *arena, const char *path, struct xml_summary *summary) {
  struct diags quiet = diags_new(arena);
  const struct source *source = source_read(arena, path, &quiet);
  xmlDoc *doc = source ? parse(source, &quiet) : NULL;
  const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
  if (root) *summary = (struct xml_summary){arena_strdup(arena, (const char *)root->name), summary_of(arena, root)};
  xmlFreeDoc(doc);
  return root;
}

/* Listing. */

static bool has_root(struct arena *arena, const char *path, const char *root) {
  const char *name = root ? xml_root_name(arena, path, NULL) : NULL;
  return !root || (name && !strcmp(name, root));
}

static void list_folder(struct arena *arena, const char *folder, const char *root, names *found) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name);
    if (length <= 4 || strcmp(entry->d_name + length - 4, ".xml") != 0) continue;
    const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
    if (has_root(arena, path, root)) *vec_push(arena, found) = arena_strndup(arena, entry->d_name, length - 4);
  }
  if (dir) closedir(dir);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **xml_list(struct arena *arena, const struct xml_search *search, const char *root, size_t *count) {
  names found = {0};
  for (unsigned i = 0; i < search->folder_count; i++) list_folder(arena, search->folders[i], root, &found);
  if (found.count) qsort(found.at, found.count, sizeof *found.at, by_name);
  size_t kept = 0;
  for (size_t i = 0; i < found.count; i++)
    if (kept == 0 || strcmp(found.at[kept - 1], found.at[i]) != 0) found.at[kept++] = found.at[i];
  found.count = kept;
  *vec_push(arena, &found) = NULL;
  *count = kept;
  return found.at;
}
