/* SPDX-License-Identifier: MIT */
/* Text inside HTML, SVG, XML, JSON and CSV. */
#ifndef LITSCOPE_BASE_ESCAPE_H
#define LITSCOPE_BASE_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a text so that it stands for itself between tags and in attributes in
 * double quotes.  Control characters, which XML cannot hold, become spaces, and bytes
 * that are no UTF-8 the character U+FFFD. */
void markup_escape(FILE *out, const char *text);
/* Markup in which each `%s` is the next text, written so. */
void markup_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes of the well-formed UTF-8 sequence at `text` (1 to 4), or 0 when there is
 * none: no overlong form, surrogate or code point above U+10FFFF. */
int utf8_length(const char *text);

/* Bytes of the control character at `text` (1 or 2), of those that a terminal takes for
 * commands: below U+0020, U+007F to U+009F, and bytes of their value that are no UTF-8; else 0. */
int control_length(const char *text);

/* A text with some characters replaced: each of these words is a character and what comes in its place; NULL at the
 * end. */
void print_replaced(FILE *out, const char *text, const char *const *replaced);

/* Takes that back, where all that comes in place begins with a backslash: in place, up to the first `stop` that was not
 * replaced, or the end.  `*text` becomes what comes after it, or NULL.  false: a backslash is none of those that were
 * written. */
bool take_replaced(char **text, char stop, const char *const *replaced);

/* A text as one word of a shell's command. */
void shell_print(const char *text, FILE *out);

/* A text as a field of CSV: in quotes where it has to be. */
void csv_print(const char *text, FILE *out);

#endif
