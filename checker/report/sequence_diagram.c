/* SPDX-License-Identifier: MIT */
/* SVG sequence diagrams, written directly: boxes for lanes, lines, arrows. */
#include "checker/report/sequence_diagram.h"

#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/text.h"

enum {
  LANE_WIDTH = 150,
  TOP = 74,
  ROW = 30,
  MARGIN = 40,
  CHARACTER = 7,
  TITLE_CHARACTER = 9,
  TITLE_LINE = 18,
  LEAST_WIDTH = 420
};

struct diagram {
  const struct machine *machine;
  const struct program *program;
  const struct explore_step *trace;
  size_t length;
  unsigned width;
  FILE *out;
};

static unsigned x_of(unsigned lane) {
  return MARGIN + lane * LANE_WIDTH + LANE_WIDTH / 2;
}

static unsigned y_of(size_t step) {
  return TOP + 34 + (unsigned)step * ROW;
}

static void write_lane(const struct diagram *d, unsigned lane) {
  struct text name = text_new();
  d->machine->print_lane(d->machine, lane, name.out);
  text_end(&name);
  unsigned x = x_of(lane), bottom = y_of(d->length);
  fprintf(d->out, "<line class=\"lane\" x1=\"%u\" y1=\"%d\" x2=\"%u\" y2=\"%u\"/>\n", x, TOP, x, bottom);
  fprintf(d->out, "<rect class=\"box\" x=\"%u\" y=\"%d\" width=\"110\" height=\"26\" rx=\"4\"/>\n", x - 55, TOP - 22);
  fprintf(d->out, "<text class=\"name\" x=\"%u\" y=\"%d\"", x, TOP - 4);
  markup_print(d->out, ">%s</text>\n", name.at);
  text_free(&name);
}

/* Half of the longest label's width around the middle of the arrow, within the picture. */
static unsigned label_middle(const struct diagram *d, const char *text, unsigned x) {
  unsigned half = ((unsigned)strlen(text) * CHARACTER + 8) / 2;
  unsigned most = d->width > half + 4 ? d->width - half - 4 : half;
  if (x > most) x = most;
  return x < half + 4 ? half + 4 : x;
}

/* The label stands above its arrow on a white ground. */
static void write_label(const struct diagram *d, const char *text, unsigned x, unsigned y, const char *kind) {
  unsigned width = (unsigned)strlen(text) * CHARACTER + 8;
  x = label_middle(d, text, x);
  fprintf(d->out, "<rect class=\"ground\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"14\"/>", x - width / 2, y - 20,
          width);
  fprintf(d->out, "<text class=\"%s\" x=\"%u\" y=\"%u\"", kind, x, y - 9);
  markup_print(d->out, ">%s</text>\n", text);
}

/* An arrow from lane to lane that ends before the line of its lane, so that its head is whole. */
static void write_arrow(const struct diagram *d, unsigned from, unsigned to, unsigned y, const char *kind) {
  fprintf(d->out, "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" marker-end=\"url(#%s)\"/>\n", kind,
          x_of(from), y, to > from ? x_of(to) - 1 : x_of(to) + 1, y, kind);
}

/* The line of the test that a step does a part of; 0: of none. */
static unsigned line_of(const struct diagram *d, struct step step) {
  unsigned thread, instr, line = 0, column;
  if (!d->machine->source || !d->machine->source(d->machine, step, &thread, &instr)) return 0;
  struct span span = d->program->threads[thread].instrs[instr].span;
  if (span.length && d->program->source) source_position(d->program->source, span.at, &line, &column);
  return line;
}

static void write_step(const struct diagram *d, size_t i) {
  const struct machine *m = d->machine;
  const struct explore_step *step = &d->trace[i];
  unsigned from, to, y = y_of(i) + ROW / 2;
  m->route(m, step->step, step->before, step->after, &from, &to);
  const char *kind = m->step_kind(m, step->step) == STEP_THREAD ? "thread" : "environment";
  struct text text = text_new();
  m->print_step(m, step->step, step->before, step->after, text.out);
  if (step->note) fprintf(text.out, " %s", step->note);
  text_end(&text);
  unsigned line = line_of(d, step->step);
  fputs("<g class=\"step\"", d->out);
  if (line) fprintf(d->out, " data-line=\"%u\"><title>line %u</title", line, line);
  fputs(">\n", d->out);
  write_label(d, text.at, (x_of(from) + x_of(to)) / 2, y, kind);
  text_free(&text);
  fprintf(d->out, "<text class=\"number\" x=\"%d\" y=\"%u\">%zu</text>\n", MARGIN - 24, y + 4, i + 1);
  if (from == to)
    fprintf(d->out, "<circle class=\"%s\" cx=\"%u\" cy=\"%u\" r=\"4\"/>\n", kind, x_of(from), y);
  else
    write_arrow(d, from, to, y, kind);
  for (unsigned lane = 0; m->also_reaches && lane < m->lane_count; lane++)
    if (lane != from && lane != to && m->also_reaches(m, step->step, lane)) write_arrow(d, from, lane, y, kind);
  fputs("</g>\n", d->out);
}

static void write_style(FILE *out) {
  fputs(
      "<style>\n"
      "text{font:12px monospace;text-anchor:middle}\n"
      ".title{font:bold 14px sans-serif;text-anchor:start}\n"
      ".key{font:12px sans-serif;text-anchor:start}\n"
      ".name{font:bold 13px sans-serif}\n"
      ".number{fill:#666;text-anchor:end}\n"
      ".lane{stroke:#bbb;stroke-dasharray:3 3}\n"
      ".box{fill:#f2f2f2;stroke:#888}\n"
      ".ground{fill:#fff;fill-opacity:.85}\n"
      "line.thread{stroke:#1f4e9c;stroke-width:1.6}\n"
      "circle.thread{fill:#1f4e9c}\n"
      "text.thread{fill:#1f4e9c}\n"
      "line.environment{stroke:#a5540b;stroke-width:1.4;stroke-dasharray:6 3}\n"
      "circle.environment{fill:#a5540b}\n"
      "text.environment{fill:#a5540b}\n"
      "</style>\n",
      out);
}

static void write_marker(const char *name, const char *colour, FILE *out) {
  fprintf(out,
          "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
          "orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"%s\"/></marker>\n",
          name, colour);
}

/* How much of a text goes into a line of so many characters: up to a blank, where there is one. */
static size_t line_length(const char *text, size_t most) {
  size_t length = strlen(text);
  if (length <= most) return length;
  for (size_t i = most; i > 0; i--)
    if (text[i] == ' ') return i;
  return most;
}

/* The title in as many lines as the width needs; returns how far down it goes. */
static unsigned write_title(const struct diagram *d, const char *title) {
  size_t most = (d->width - 20) / TITLE_CHARACTER;
  unsigned y = 20;
  while (*title) {
    size_t length = line_length(title, most);
    fprintf(d->out, "<text class=\"title\" x=\"10\" y=\"%u\">", y);
    struct text line = text_new();
    fwrite(title, 1, length, line.out);
    text_end(&line);
    markup_escape(d->out, line.at);
    text_free(&line);
    fputs("</text>\n", d->out);
    y += TITLE_LINE;
    for (title += length; *title == ' ';) title++;
  }
  return y;
}

static bool has_notes(const struct diagram *d) {
  for (size_t i = 0; i < d->length; i++)
    if (d->trace[i].note) return true;
  return false;
}

static void write_key(const struct diagram *d, unsigned y) {
  fprintf(d->out,
          "<text class=\"key\" x=\"10\" y=\"%u\">solid: steps of threads; dashed: steps of the environment%s</text>\n",
          y, has_notes(d) ? "; @54: done in the thread's cycle 54" : "");
}

static unsigned title_lines(const char *title, size_t most) {
  unsigned lines = 0;
  for (; *title; lines++)
    for (title += line_length(title, most); *title == ' ';) title++;
  return lines;
}

void sequence_write_svg(const struct machine *machine, const struct program *program, const struct explore_step *trace,
                        size_t length, const char *title, FILE *out) {
  if (machine->lane_count == 0) return;
  struct diagram d = {machine, program, trace, length, 2 * MARGIN + machine->lane_count * LANE_WIDTH, out};
  if (d.width < LEAST_WIDTH) d.width = LEAST_WIDTH;
  unsigned head = (title_lines(title, (d.width - 20) / TITLE_CHARACTER) - 1) * TITLE_LINE;
  unsigned height = y_of(length) + 10 + head;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          d.width, height, d.width, height);
  write_style(out);
  fputs("<defs>\n", out);
  write_marker("thread", "#1f4e9c", out);
  write_marker("environment", "#a5540b", out);
  fputs("</defs>\n", out);
  write_key(&d, write_title(&d, title));
  fprintf(out, "<g transform=\"translate(0 %u)\">\n", head);
  for (unsigned lane = 0; lane < machine->lane_count; lane++) write_lane(&d, lane);
  for (size_t i = 0; i < length; i++) write_step(&d, i);
  fputs("</g>\n</svg>\n", out);
}
