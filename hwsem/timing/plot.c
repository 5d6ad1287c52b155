/* SPDX-License-Identifier: MIT */
/* Each plot is a panel of fixed size; axes have ticks at round steps. */
#include "hwsem/timing/plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"

enum { WIDTH = 760, HEIGHT = 390, LEFT = 76, RIGHT = 170, TOP = 46, BOTTOM = 76, TICKS = 6, SLANTED = 11, LETTER = 7 };

/* Colours that also differ in lightness (after Okabe and Ito). */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};
enum { COLOURS = ARRAY_COUNT(colours) };

struct panel {
  const struct plot *plot;
  double top;                                          /* of the drawing area, in the document */
  double low_x, high_x, low_y, high_y, step_x, step_y; /* low_y, log_y: the lowest power of ten */
  FILE *out;
};

struct plot_series *plot_add_series(struct plot *plot, const char *name) {
  struct plot_series *series = ARENA_NEW(plot->arena, struct plot_series);
  series->name = name;
  *vec_push(plot->arena, &plot->series) = series;
  return series;
}

void plot_push(struct plot *plot, struct plot_series *series, double y) {
  *vec_push(plot->arena, &series->y) = y;
}

void plot_add_group(struct plot *plot, const char *name) {
  double place = (double)plot->groups.count + 0.5;
  *vec_push(plot->arena, &plot->groups) = name;
  if (plot->kind == PLOT_LINES) *vec_push(plot->arena, &plot->x) = place;
  plot->turn = 0;
}

void plot_put(struct plot *plot, double y) {
  plot_push(plot, plot->series.at[plot->turn++ % plot->series.count], y);
}

/* ---- scales ---------------------------------------------------------------------- */

/* A step of 1, 2 or 5 times a power of ten that gives about TICKS ticks. */
static double round_step(double range) {
  if (range <= 0) return 1;
  double power = pow(10, floor(log10(range / TICKS)));
  double step = range / TICKS / power;
  return power * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
}

/* The highest value, or stack of values. */
static double highest(const struct plot *plot) {
  double high = 0;
  size_t count = plot->kind == PLOT_LINES ? plot->x.count : plot->groups.count;
  if (plot->kind == PLOT_BOXES) count *= PLOT_BOX;
  for (size_t i = 0; i < count; i++) {
    double sum = 0;
    for (size_t s = 0; s < plot->series.count; s++) {
      double y = i < plot->series.at[s]->y.count ? plot->series.at[s]->y.at[i] : 0;
      sum = plot->kind == PLOT_STACK ? sum + y : y;
      if (sum > high) high = sum;
    }
  }
  return high;
}

static double lowest(const struct plot *plot) {
  double low = highest(plot);
  for (size_t s = 0; s < plot->series.count; s++)
    for (size_t i = 0; i < plot->series.at[s]->y.count; i++)
      if (plot->series.at[s]->y.at[i] < low) low = plot->series.at[s]->y.at[i];
  return low;
}

/* Powers of ten around all positive values. */
static void scale_log(struct panel *p) {
  double low = INFINITY;
  for (size_t s = 0; s < p->plot->series.count; s++)
    for (size_t i = 0; i < p->plot->series.at[s]->y.count; i++) {
      double y = p->plot->series.at[s]->y.at[i];
      if (y > 0 && y < low) low = y;
    }
  double high = highest(p->plot);
  p->low_y = pow(10, floor(log10(high > 0 ? low : 1)));
  p->high_y = pow(10, ceil(log10(high > 0 ? high : 10)));
  if (p->high_y <= p->low_y) p->high_y = p->low_y * 10;
}

static struct panel scale(const struct plot *plot, size_t index, FILE *out) {
  struct panel p = {.plot = plot, .top = (double)(index * HEIGHT) + TOP, .out = out};
  double low = plot->close_up ? lowest(plot) : 0, high = highest(plot);
  p.step_y = round_step(high - low);
  p.low_y = p.step_y * floor(low / p.step_y);
  p.high_y = p.step_y * ceil(high / p.step_y);
  if (p.high_y <= p.low_y) p.high_y = p.low_y + p.step_y;
  if (plot->log_y) scale_log(&p);
  for (size_t i = 0; i < plot->x.count; i++) {
    if (i == 0 || plot->x.at[i] < p.low_x) p.low_x = plot->x.at[i];
    if (i == 0 || plot->x.at[i] > p.high_x) p.high_x = plot->x.at[i];
  }
  if (!plot->doubling && p.low_x > 0 && p.low_x < p.high_x / 4) p.low_x = 0;
  if (plot->groups.count) p.low_x = 0, p.high_x = (double)plot->groups.count;
  p.step_x = round_step(p.high_x - p.low_x);
  return p;
}

static double area_width(void) {
  return WIDTH - LEFT - RIGHT;
}
static double area_height(void) {
  return HEIGHT - TOP - BOTTOM;
}

static double at_x(const struct panel *p, double x) {
  double low = p->low_x, high = p->high_x;
  if (high <= low) return LEFT + area_width() / 2;
  if (p->plot->doubling) x = log(x), low = log(low), high = log(high);
  return LEFT + area_width() * (x - low) / (high - low);
}

static double at_y(const struct panel *p, double y) {
  if (p->plot->log_y) {
    double share = y > p->low_y ? log(y / p->low_y) / log(p->high_y / p->low_y) : 0;
    return p->top + area_height() * (1 - share);
  }
  return p->top + area_height() * (1 - (y - p->low_y) / (p->high_y - p->low_y));
}

/* ---- what axes say ----------------------------------------------------------------- */

/* An axis that does not begin at 0 says so, and one that is not linear. */
static const char *axis_text(const struct panel *p, const char *label, bool logarithmic, double low) {
  if (logarithmic) return arena_printf(p->plot->arena, "%s, logarithmic", label);
  return low == 0 ? label : arena_printf(p->plot->arena, "%s, from %.6g", label, low);
}

static const char *x_text(const struct panel *p) {
  return axis_text(p, p->plot->x_label, p->plot->doubling, p->plot->groups.count ? 0 : p->low_x);
}

static const char *y_text(const struct panel *p) {
  return axis_text(p, p->plot->y_label, p->plot->log_y, p->low_y);
}

/* ---- drawing ----------------------------------------------------------------------- */

static void draw_text(const struct panel *p, double x, double y, const char *anchor, const char *style,
                      const char *text) {
  fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, style);
  markup_escape(p->out, text);
  fputs("</text>\n", p->out);
}

static void draw_line(const struct panel *p, double x1, double y1, double x2, double y2, const char *stroke) {
  fprintf(p->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, stroke);
}

static void draw_rectangle(const struct panel *p, double x, double width, double low, double high, const char *colour) {
  double top = at_y(p, high);
  fprintf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, top, width,
          at_y(p, low) - top, colour);
}

static void draw_y_tick(const struct panel *p, double value, bool first) {
  char label[32];
  double y = at_y(p, value);
  draw_line(p, LEFT, y, LEFT + area_width(), y, first ? "#000000" : "#dddddd");
  snprintf(label, sizeof label, "%.6g", value);
  draw_text(p, LEFT - 6, y + 4, "end", "", label);
}

static void draw_y_axis(const struct panel *p) {
  if (p->plot->log_y)
    for (double y = p->low_y; y <= p->high_y * 1.0001; y *= 10) draw_y_tick(p, y, y == p->low_y);
  else
    for (int i = 0; p->low_y + p->step_y * i <= p->high_y + p->step_y / 2; i++)
      draw_y_tick(p, p->low_y + p->step_y * i, i == 0);
  double middle = p->top + area_height() / 2;
  char style[80];
  snprintf(style, sizeof style, " transform=\"rotate(-90 18 %.1f)\"", middle);
  draw_text(p, 18, middle, "middle", style, y_text(p));
}

static void draw_tick(const struct panel *p, double x) {
  char label[32];
  double base = p->top + area_height();
  draw_line(p, at_x(p, x), base, at_x(p, x), base + 4, "#000000");
  snprintf(label, sizeof label, "%.6g", x);
  draw_text(p, at_x(p, x), base + 18, "middle", "", label);
}

static void draw_x_axis(const struct panel *p) {
  if (p->plot->doubling) {
    for (size_t i = 0; i < p->plot->x.count; i++) draw_tick(p, p->plot->x.at[i]);
    return;
  }
  for (double x = p->step_x * ceil(p->low_x / p->step_x); x <= p->high_x + p->step_x / 1e6; x += p->step_x)
    draw_tick(p, x);
}

/* Are the names of groups many, or longer than there is room for? */
static bool is_crowded(const struct plot *plot) {
  double width = area_width() / (double)plot->groups.count;
  for (size_t i = 0; i < plot->groups.count; i++)
    if ((double)strlen(plot->groups.at[i]) * LETTER > width + LETTER) return true;
  return plot->groups.count > SLANTED;
}

/* Names below the groups, slanted when they are crowded. */
static void draw_groups(const struct panel *p) {
  double base = p->top + area_height(), width = area_width() / (double)p->plot->groups.count;
  bool crowded = is_crowded(p->plot);
  for (size_t i = 0; i < p->plot->groups.count; i++) {
    double x = LEFT + width * ((double)i + 0.5) + (crowded ? 4 : 0), y = base + (crowded ? 12 : 17);
    char style[80] = "";
    if (crowded) snprintf(style, sizeof style, " font-size=\"10\" transform=\"rotate(-35 %.1f %.1f)\"", x, y);
    draw_text(p, x, y, crowded ? "end" : "middle", style, p->plot->groups.at[i]);
  }
}

static void draw_legend(const struct panel *p) {
  for (size_t i = 0; i < p->plot->series.count; i++) {
    double y = p->top + 8 + 20 * (double)i, x = LEFT + area_width() + 16;
    fprintf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, y - 10,
            colours[i % COLOURS]);
    draw_text(p, x + 18, y, "start", "", p->plot->series.at[i]->name);
  }
}

static void draw_lines(const struct panel *p) {
  const struct plot *plot = p->plot;
  for (size_t s = 0; s < plot->series.count; s++) {
    const struct plot_series *series = plot->series.at[s];
    const char *colour = colours[s % COLOURS];
    fprintf(p->out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", colour);
    for (size_t i = 0; i < series->y.count && i < plot->x.count; i++)
      fprintf(p->out, "%s%.1f,%.1f", i ? " " : "", at_x(p, plot->x.at[i]), at_y(p, series->y.at[i]));
    fputs("\"/>\n", p->out);
    for (size_t i = 0; i < series->y.count && i < plot->x.count && plot->x.count < 40; i++)
      fprintf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at_x(p, plot->x.at[i]),
              at_y(p, series->y.at[i]), colour);
  }
}

static void draw_bars(const struct panel *p) {
  const struct plot *plot = p->plot;
  bool stacked = plot->kind == PLOT_STACK;
  double group = area_width() / (double)plot->groups.count;
  double width = group * 0.8 / (stacked ? 1 : (double)plot->series.count);
  for (size_t i = 0; i < plot->groups.count; i++) {
    double bottom = 0;
    for (size_t s = 0; s < plot->series.count; s++) {
      if (i >= plot->series.at[s]->y.count) continue;
      double y = plot->series.at[s]->y.at[i], x = LEFT + group * ((double)i + 0.1) + (stacked ? 0 : width * (double)s);
      draw_rectangle(p, x, width, bottom, bottom + y, colours[s % COLOURS]);
      if (stacked) bottom += y;
    }
  }
}

/* Boxes from quartile to quartile, with the median and lines to the extremes. */
static void draw_boxes(const struct panel *p) {
  const struct plot *plot = p->plot;
  double group = area_width() / (double)plot->groups.count, width = group * 0.8 / (double)plot->series.count;
  for (size_t i = 0; i < plot->groups.count; i++)
    for (size_t s = 0; s < plot->series.count; s++) {
      if ((i + 1) * PLOT_BOX > plot->series.at[s]->y.count) continue;
      const double *y = &plot->series.at[s]->y.at[i * PLOT_BOX];
      double x = LEFT + group * ((double)i + 0.1) + width * (double)s, middle = x + width / 2;
      draw_line(p, middle, at_y(p, y[0]), middle, at_y(p, y[4]), colours[s % COLOURS]);
      draw_rectangle(p, x + width * 0.1, width * 0.8, y[1], y[3], colours[s % COLOURS]);
      draw_line(p, x, at_y(p, y[2]), x + width, at_y(p, y[2]), "#000000");
    }
}

static void draw_panel(const struct plot *plot, size_t index, FILE *out) {
  struct panel p = scale(plot, index, out);
  draw_text(&p, LEFT + area_width() / 2, p.top - 20, "middle", " font-weight=\"bold\"", plot->title);
  draw_y_axis(&p);
  if (plot->groups.count)
    draw_groups(&p);
  else
    draw_x_axis(&p);
  if (plot->kind == PLOT_LINES)
    draw_lines(&p);
  else if (plot->kind == PLOT_BOXES)
    draw_boxes(&p);
  else
    draw_bars(&p);
  draw_text(&p, LEFT + area_width() / 2, p.top + area_height() + (plot->groups.count && is_crowded(plot) ? 64 : 42),
            "middle", "", x_text(&p));
  draw_legend(&p);
}

void plots_print_svg(const struct plot *const *plots, size_t count, FILE *out) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
          WIDTH, count * HEIGHT, WIDTH, count * HEIGHT);
  for (size_t i = 0; i < count; i++) draw_panel(plots[i], i, out);
  fputs("</svg>\n", out);
}
