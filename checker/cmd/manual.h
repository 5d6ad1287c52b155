/* SPDX-License-Identifier: MIT */
/* The manual page and the shells' completions, made from the tables. */
#ifndef LITSCOPE_CMD_MANUAL_H
#define LITSCOPE_CMD_MANUAL_H

#include <stdio.h>

void manual_write_man(FILE *out);  /* litscope.1, mdoc */
void manual_write_bash(FILE *out); /* bash completion */
void manual_write_zsh(FILE *out);  /* zsh completion */

#endif
