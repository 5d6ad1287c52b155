/* Text inside HTML, SVG and XML. */
#ifndef LITSCOPE_BASE_ESCAPE_H
#define LITSCOPE_BASE_ESCAPE_H

#include <stdio.h>

/* Writes a text so that it stands for itself between tags and in attributes in
 * double quotes.  Control characters, which XML cannot hold, become blanks. */
void markup_escape(FILE *out, const char *text);

#endif
