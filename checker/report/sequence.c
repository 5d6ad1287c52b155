/* SPDX-License-Identifier: MIT */
/* SVG sequence diagrams, written directly: boxes for lanes, lines, arrows. */
#include "checker/report/sequence.h"

#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/text.h"

enum { LANE_WIDTH = 150, TOP = 74, ROW = 30, MARGIN = 60, CHARACTER = 7, TITLE_CHARACTER = 9 };

struct diagram {
  const struct machine *machine;
  const struct explore_step *trace;
  size_t length;
  FILE *out;
};

static unsigned x_of(unsigned lane) {
  return MARGIN + lane * LANE_WIDTH + LANE_WIDTH / 2;
}

static unsigned y_of(size_t step) {
  return TOP + 34 + (unsigned)step * ROW;
}

static void write_lane(const struct diagram *d, unsigned lane) {
  struct text name;
  text_open(&name);
  d->machine->print_lane(d->machine, lane, name.out);
  text_end(&name);
  unsigned x = x_of(lane), bottom = y_of(d->length);
  fprintf(d->out, "<line class=\"lane\" x1=\"%u\" y1=\"%d\" x2=\"%u\" y2=\"%u\"/>\n", x, TOP, x, bottom);
  fprintf(d->out, "<rect class=\"box\" x=\"%u\" y=\"%d\" width=\"110\" height=\"26\" rx=\"4\"/>\n", x - 55, TOP - 22);
  fprintf(d->out, "<text class=\"name\" x=\"%u\" y=\"%d\">", x, TOP - 4);
  markup_escape(d->out, name.at);
  fputs("</text>\n", d->out);
  text_free(&name);
}

/* The label stands beside the middle of its arrow on a white ground. */
static void write_label(const struct diagram *d, const char *text, unsigned x, unsigned y, const char *kind) {
  unsigned width = 8;
  for (const char *c = text; *c; c++) width += CHARACTER;
  unsigned left = x > width / 2 + 4 ? x - width / 2 : 4;
  fprintf(d->out, "<rect class=\"ground\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"15\"/>", left, y - 17, width);
  fprintf(d->out, "<text class=\"%s\" x=\"%u\" y=\"%u\">", kind, left + width / 2, y - 5);
  markup_escape(d->out, text);
  fputs("</text>\n", d->out);
}

static void write_step(const struct diagram *d, size_t i) {
  const struct explore_step *step = &d->trace[i];
  unsigned from, to, y = y_of(i) + ROW / 2;
  d->machine->route(d->machine, step->step, step->before, step->after, &from, &to);
  const char *kind = d->machine->step_kind(d->machine, step->step) == STEP_THREAD ? "thread" : "environment";
  fprintf(d->out, "<text class=\"number\" x=\"%d\" y=\"%u\">%zu</text>\n", MARGIN - 24, y + 4, i + 1);
  if (from == to)
    fprintf(d->out, "<circle class=\"%s\" cx=\"%u\" cy=\"%u\" r=\"4\"/>\n", kind, x_of(from), y);
  else
    fprintf(d->out, "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" marker-end=\"url(#%s)\"/>\n", kind,
            x_of(from), y, to > from ? x_of(to) - 2 : x_of(to) + 2, y, kind);
  struct text text;
  text_open(&text);
  d->machine->print_step(d->machine, step->step, step->before, step->after, text.out);
  text_end(&text);
  write_label(d, text.at, (x_of(from) + x_of(to)) / 2, y, kind);
  text_free(&text);
}

static void write_style(FILE *out) {
  fputs(
      "<style>\n"
      "text{font:12px monospace;text-anchor:middle}\n"
      ".title{font:bold 14px sans-serif;text-anchor:start}\n"
      ".key{font:12px sans-serif;text-anchor:start}\n"
      ".name{font:bold 13px sans-serif}\n"
      ".number{fill:#888;text-anchor:end}\n"
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

void sequence_write_svg(const struct machine *machine, const struct explore_step *trace, size_t length,
                        const char *title, FILE *out) {
  if (machine->lane_count == 0) return;
  struct diagram d = {machine, trace, length, out};
  unsigned width = 2 * MARGIN + machine->lane_count * LANE_WIDTH, height = y_of(length) + 20;
  unsigned title_width = 20 + (unsigned)strlen(title) * TITLE_CHARACTER;
  if (title_width > width) width = title_width;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          width, height, width, height);
  write_style(out);
  fputs("<defs>\n", out);
  write_marker("thread", "#1f4e9c", out);
  write_marker("environment", "#a5540b", out);
  fputs("</defs>\n<text class=\"title\" x=\"10\" y=\"20\">", out);
  markup_escape(out, title);
  fputs(
      "</text>\n<text class=\"key\" x=\"10\" y=\"38\">solid: steps of threads; dashed: steps of the "
      "environment</text>\n",
      out);
  for (unsigned lane = 0; lane < machine->lane_count; lane++) write_lane(&d, lane);
  for (size_t i = 0; i < length; i++) write_step(&d, i);
  fputs("</svg>\n", out);
}
