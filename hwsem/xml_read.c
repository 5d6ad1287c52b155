/* SPDX-License-Identifier: MIT */
/* A tree, in the arena, from the events of libxml2's parser (SAX), which say where in the text
 * each element is.  Where there is a schema, they also build libxml2's own tree, which its validator reads. */
#include "hwsem/xml_read.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"
#include "hwsem/xml_memory.h"
#include "hwsem/xml_schema.h"

enum { DEPTH_LIMIT = 200, ATTRIBUTE_LIMIT = 60 };

typedef VEC(char) bytes;

struct open_element {
  struct xml_node *node, **end; /* where its next child goes */
};

struct reader {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  xmlParserCtxtPtr parser;
  VEC(struct open_element) open; /* from the root in */
  struct xml_node *root;
  bytes text;  /* of the whole document; an element's is a stretch of it */
  bool failed; /* a mistake is told */
  const char *schema;
};

static size_t offset(const struct reader *r) {
  long at = xmlByteConsumed(r->parser);
  return at < 0 ? 0 : (size_t)at < r->source->size ? (size_t)at : r->source->size;
}

/* ---- the parser's events ---- */

static struct reader *reader_of(void *parser) {
  return ((xmlParserCtxtPtr)parser)->_private;
}

/* The first mistake is the one that is told. */
static void wrong(struct reader *r, size_t at, size_t length, const char *message) {
  if (!r->failed) diag_error(r->diags, r->source, (struct span){(uint32_t)at, (uint32_t)length}, "%s", message);
  r->failed = true;
  xmlStopParser(r->parser);
}

/* Names are compared as written, with their prefix. */
static const char *full_name(struct reader *r, const xmlChar *prefix, const xmlChar *name) {
  if (!prefix) return arena_strdup(r->arena, (const char *)name);
  return arena_printf(r->arena, "%s:%s", (const char *)prefix, (const char *)name);
}

/* Of titles and names, which are printed: XML itself allows those above U+007F. */
static void refuse_controls(struct reader *r, const xmlChar *letters, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strchr("\t\r\n", letters[i]) && control_length((const char *)letters + i) &&
        (letters[i] < 0x80 || letters[i] == 0xc2))
      wrong(r, offset(r), 1, "a control character");
}

static struct xml_attribute **add_attribute(struct reader *r, struct xml_attribute **end, const char *name,
                                            const char *value) {
  *end = ARENA_NEW(r->arena, struct xml_attribute);
  **end = (struct xml_attribute){.name = name, .value = value};
  return (struct xml_attribute **)&(*end)->next;
}

/* Attributes come by fives: name, prefix, namespace, value, after the value; namespaces by twos: prefix, or none for
 * that of names without one, and address.  The parser has seen that no name comes twice. */
static void add_attributes(struct reader *r, struct xml_node *node, const xmlChar **attributes, int attribute_count,
                           const xmlChar **namespaces, int namespace_count) {
  struct xml_attribute **end = &node->attributes;
  if (attribute_count > ATTRIBUTE_LIMIT) {
    wrong(r, node->span.at, 1, "an element with more than 60 attributes");
    return;
  }
  for (int i = 0; i < namespace_count; i++) { /* where there is none, the array is NULL */
    const xmlChar **n = namespaces + 2 * i;
    if (!n[0]) end = add_attribute(r, end, "xmlns", arena_strdup(r->arena, n[1] ? (const char *)n[1] : ""));
  }
  for (int i = 0; i < attribute_count; i++) {
    const xmlChar **a = attributes + 5 * i;
    refuse_controls(r, a[3], (size_t)(a[4] - a[3]));
    end = add_attribute(r, end, full_name(r, a[1], a[0]),
                        arena_strndup(r->arena, (const char *)a[3], (size_t)(a[4] - a[3])));
  }
}

/* The parser stands before the > or /> of the tag, in which no other < can be. */
static struct span tag(const struct reader *r) {
  size_t at = offset(r);
  const char *text = r->source->text, *start = at ? memrchr(text, '<', at) : NULL;
  size_t from = start ? (size_t)(start - text) : at;
  return (struct span){(uint32_t)from, (uint32_t)(at - from + (at < r->source->size && text[at] == '/' ? 2 : 1))};
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *address,
                     int namespace_count, const xmlChar **namespaces, int attribute_count, int defaulted,
                     const xmlChar **attributes) {
  struct reader *r = reader_of(context);
  if (r->failed) return;
  if (r->schema)
    xmlSAX2StartElementNs(context, name, prefix, address, namespace_count, namespaces, attribute_count, defaulted,
                          attributes);
  struct xml_node *node = ARENA_MAKE(r->arena, struct xml_node, .name = full_name(r, prefix, name), .span = tag(r),
                                     .text_at = r->text.count);
  if (r->open.count > DEPTH_LIMIT) {
    wrong(r, node->span.at, 1, "elements are nested too deep");
    return;
  }
  add_attributes(r, node, attributes, attribute_count, namespaces, namespace_count);
  if (r->open.count) {
    struct open_element *parent = &r->open.at[r->open.count - 1];
    *parent->end = node;
    parent->end = &node->next;
  } else {
    r->root = node;
  }
  *vec_push(r->arena, &r->open) = (struct open_element){node, &node->child};
  if (r->schema) r->parser->node->_private = node;
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *address) {
  struct reader *r = reader_of(context);
  if (r->failed) return;
  if (r->schema) xmlSAX2EndElementNs(context, name, prefix, address);
  struct xml_node *node = r->open.at[--r->open.count].node;
  node->text_length = r->text.count - node->text_at;
}

static void on_text(void *context, const xmlChar *letters, int length) {
  struct reader *r = reader_of(context);
  size_t count = (size_t)length;
  if (r->failed || !r->open.count) return;
  if (r->schema) xmlSAX2Characters(context, letters, length);
  refuse_controls(r, letters, count);
  vec_reserve(r->arena, (void **)&r->text.at, &r->text.room, r->text.count + count + 1, 1);
  memcpy(r->text.at + r->text.count, letters, count);
  r->text.count += count;
}

/* No document type, and so no entities, and nothing outside the text is ever read. */
static void on_document_type(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id) {
  struct reader *r = reader_of(context);
  (void)name, (void)public_id, (void)system_id;
  const char *start = memmem(r->source->text, r->source->size, "<!DOCTYPE", strlen("<!DOCTYPE"));
  wrong(r, start ? (size_t)(start - r->source->text) : 0, strlen("<!DOCTYPE"),
        "a document type declaration is not allowed here");
}

/* The structure became constant in 2.12. */
#if LIBXML_VERSION >= 21200
static void on_error(void *context, const xmlError *error) {
#else
static void on_error(void *context, xmlError *error) {
#endif
  struct reader *r = reader_of(context);
  if (error->level < XML_ERR_ERROR) return;
  const char *message = error->message ? error->message : "";
  wrong(r, offset(r), 1, arena_strndup(r->arena, message, strcspn(message, "\n")));
}

/* ---- the tree ---- */

/* Once all text is there, which moves while it grows, elements get their stretches of it. */
static void settle(struct xml_node *node, const char *text) {
  for (; node; node = node->next) {
    node->text = text + node->text_at;
    settle(node->child, text);
  }
}

static void parse(struct reader *r, struct xml_fault *fault) {
  struct xml_memory *memory = xml_memory_begin(r->arena);
  r->parser = xmlCreateMemoryParserCtxt(r->source->text, (int)r->source->size);
  xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
  *r->parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                    .startDocument = r->schema ? xmlSAX2StartDocument : NULL,
                                    .internalSubset = on_document_type,
                                    .startElementNs = on_start,
                                    .endElementNs = on_end,
                                    .characters = on_text,
                                    .ignorableWhitespace = on_text,
                                    .cdataBlock = on_text,
                                    .serror = on_error};
  r->parser->_private = r;
  xmlParseDocument(r->parser);
  if (!r->parser->wellFormed && !r->failed) guard_out_of_memory(); /* of this alone it does not tell */
  if (r->schema && !r->failed) xml_validate(r->schema, r->parser->myDoc, r->root, fault);
  xml_memory_end(memory);
}

struct xml_node *xml_read(struct arena *arena, const struct source *source, const char *schema, struct xml_fault *fault,
                          struct diags *diags) {
  if (!source->size) {
    diag_error(diags, source, (struct span){0, 0}, "this file is empty");
    return NULL;
  }
  struct reader *r =
      ARENA_MAKE(arena, struct reader, .arena = arena, .source = source, .diags = diags, .schema = schema);
  parse(r, fault);
  if (r->failed) return NULL;
  settle(r->root, r->text.at ? r->text.at : "");
  return r->root;
}
