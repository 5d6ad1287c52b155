/* SPDX-License-Identifier: MIT */
/* Texts of tests and models inside XML, HTML, SVG and CSV: what means something
 * there, or is no UTF-8, is replaced. */
#include "checker/base/escape.h"

#include <stdarg.h>
#include <string.h>

#include "checker/base/text.h"

int utf8_length(const char *text) {
  static const unsigned char first[] = {0xc2, 0xe0, 0xf0}, last[] = {0xdf, 0xef, 0xf4};
  const unsigned char *p = (const unsigned char *)text;
  if (p[0] < 0x80) return 1;
  for (int extra = 1; extra <= 3; extra++) {
    if (p[0] < first[extra - 1] || p[0] > last[extra - 1]) continue;
    for (int i = 1; i <= extra; i++)
      if ((p[i] & 0xc0) != 0x80) return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool outside = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
    return overlong || outside ? 0 : extra + 1;
  }
  return 0;
}

int control_length(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) return 2;
  return (p[0] && p[0] < 0x20) || (p[0] >= 0x7f && p[0] < 0xa0);
}

static void escape_byte(FILE *out, char c) {
  static const char *const WORDS[256] = {['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
  if (WORDS[(unsigned char)c])
    fputs(WORDS[(unsigned char)c], out);
  else
    fputc((unsigned char)c < 0x20 && c != '\t' && c != '\n' ? ' ' : c, out);
}

void markup_escape(FILE *out, const char *text) {
  while (*text) {
    int length = utf8_length(text);
    bool none = text_begins(text, "\xef\xbf\xbe") || text_begins(text, "\xef\xbf\xbf");
    if (length == 1)
      escape_byte(out, *text);
    else if (!length || none)
      fputs("\xef\xbf\xbd", out);
    else
      fwrite(text, 1, (size_t)length, out);
    text += length ? length : 1;
  }
}

void markup_print(FILE *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  for (const char *at; (at = strstr(format, "%s")); format = at + strlen("%s")) {
    fwrite(format, 1, (size_t)(at - format), out);
    markup_escape(out, va_arg(args, const char *));
  }
  fputs(format, out);
  va_end(args);
}

void print_replaced(FILE *out, const char *text, const char *const *replaced) {
  for (; *text; text++) {
    const char *const *r = replaced;
    while (*r && **r != *text) r++;
    if (*r)
      fputs(*r + 1, out);
    else
      fputc(*text, out);
  }
}

bool take_replaced(char **text, char stop, const char *const *replaced) {
  char *from = *text, *to = from;
  while (*from && *from != stop) {
    const char *const *r = replaced;
    while (*r && !text_begins(from, *r + 1)) r++;
    if (*from == '\\' && !*r) return false;
    *to++ = *r ? **r : *from;
    from += *r ? strlen(*r + 1) : 1;
  }
  *text = *from ? from + 1 : NULL;
  *to = '\0';
  return true;
}

void shell_print(const char *text, FILE *out) {
  static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  const char *quote = *text && !text[strspn(text, PLAIN)] ? "" : "'";
  fputs(quote, out);
  print_replaced(out, text, (const char *const[]){"''\\''", NULL});
  fputs(quote, out);
}

/* RFC 4180. */
void csv_print(const char *text, FILE *out) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  print_replaced(out, text, (const char *const[]){"\"\"\"", NULL});
  fputc('"', out);
}
