#include "base/escape.h"

static void escape_byte(FILE *out, char c) {
  switch (c) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      fputc((unsigned char)c < 0x20 && c != '\t' && c != '\n' ? ' ' : c, out);
  }
}

void markup_escape(FILE *out, const char *text) {
  for (; *text; text++) escape_byte(out, *text);
}
