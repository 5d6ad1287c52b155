/* SPDX-License-Identifier: MIT */
/* What libxml2's schemas ask XPath and patterns for, which no schema here uses: these files of the library stay out of
 * the page. */
#include <libxml/xpath.h>

double xmlXPathNAN, xmlXPathPINF, xmlXPathNINF;

int xmlXPathIsNaN(double value) {
  return value != value;
}
