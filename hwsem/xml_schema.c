/* SPDX-License-Identifier: MIT */
/* libxml2's validator. */
#include "hwsem/xml_schema.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/embed.h"
#include "checker/base/text.h"

/* ---- the schemas, as they are in mappings/ ---- */

#define SCHEMA_LIST(X) X(adsm) X(amdgpu) X(amo) X(gpu) X(machine) X(mapping) X(timing) X(translation)
#define SCHEMA_TEXT(id) EMBED_TEXT(xml_schema_##id, "mappings/" #id ".rng")
SCHEMA_LIST(SCHEMA_TEXT)
#undef SCHEMA_TEXT

const char *xml_schema_text(const char *name) {
#define SCHEMA_ROW(id) {#id ".rng", xml_schema_##id},
  static const struct { const char *name, *text; } schemas[] = {SCHEMA_LIST(SCHEMA_ROW)};
#undef SCHEMA_ROW
  int i = ROW_INDEX(schemas, ARRAY_COUNT(schemas), name, name);
  return i < 0 ? NULL : schemas[i].text;
}

/* ---- trees ---- */

const char *xml_value(const struct xml_node *node, const char *name) {
  for (const struct xml_attribute *a = node->attributes; a; a = a->next)
    if (!strcmp(a->name, name)) return a->value;
  return NULL;
}

/* ---- faults ---- */

struct validation {
  const struct xml_node *root;
  struct xml_fault *fault;
  bool told; /* the first fault is the innermost, and counts */
};

static const struct xml_node *element_of(const xmlNode *theirs) {
  while (theirs && theirs->type != XML_ELEMENT_NODE) theirs = theirs->parent;
  return theirs ? theirs->_private : NULL;
}

static const struct xml_attribute *attribute_named(const struct xml_node *node, const char *name) {
  for (const struct xml_attribute *a = node->attributes; name && a; a = a->next)
    if (!strcmp(a->name, name)) return a;
  return NULL;
}

static const struct xml_attribute *attribute_valued(const struct xml_node *node, const char *value) {
  for (const struct xml_attribute *a = node->attributes; value && a; a = a->next)
    if (!strcmp(a->value, value)) return a;
  return NULL;
}

/* What libxml2 says of an element: an attribute that does not go with it, a value that has no such type, a child that
 * cannot stand where it is; of all else, only where it is. */
static void note_fault(struct validation *v, const xmlError *error) {
  const struct xml_node *node = element_of(error->node);
  if (v->told || !node) return;
  v->told = true;
  v->fault->node = node;
  switch (error->code) {
    case XML_RELAXNG_ERR_INVALIDATTR:
      v->fault->attribute = attribute_named(node, error->str1);
      break;
    case XML_RELAXNG_ERR_TYPEVAL:
    case XML_RELAXNG_ERR_DATATYPE:
      v->fault->attribute = attribute_valued(node, error->str2);
      v->fault->value = v->fault->attribute;
      break;
    case XML_RELAXNG_ERR_ELEMWRONG:
    case XML_RELAXNG_ERR_ELEMNAME:
      if (node == v->root) break;
      v->fault->node = element_of(((const xmlNode *)error->node)->parent);
      v->fault->child = node;
      break;
    default:
      break;
  }
}

/* The structure became constant in 2.12. */
#if LIBXML_VERSION >= 21200
static void on_fault(void *context, const xmlError *error) {
#else
static void on_fault(void *context, xmlError *error) {
#endif
  note_fault(context, error);
}

void xml_validate(const char *schema, struct _xmlDoc *document, const struct xml_node *root, struct xml_fault *fault) {
  const char *text = xml_schema_text(schema);
  xmlRelaxNGPtr rules = xmlRelaxNGParse(xmlRelaxNGNewMemParserCtxt(text, (int)strlen(text)));
  struct validation v = {root, fault, false};
  xmlRelaxNGValidCtxtPtr validator = xmlRelaxNGNewValidCtxt(rules);
  *fault = (struct xml_fault){.node = root};
  xmlRelaxNGSetValidStructuredErrors(validator, on_fault, &v);
  if (rules && document && xmlRelaxNGValidateDoc(validator, document) == 0) fault->node = NULL;
}
