/* SPDX-License-Identifier: MIT */
/* What the text of FEAR's section V says of its programs, and whether it comes out here, of the programs themselves and
 * of patterns that stand for them. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/timing/fear_figures.h"

enum { FLUIDANIMATE, HYPERCOLUMN, CANNEAL, GPUSORT, REDUCTION, PAPERS };
enum { ATOMDIR, TOPOLOGY, SPECFETCH, PARTS };
enum { RINGS, MUTEXES, WIRES, TABLES, EPOCHS };

/* Speed-ups by part and program; the figures that have been done. */
struct findings {
  const struct fear_figures *f;
  const struct fear_figure *parts, *sweeps;
  double part[PARTS][PAPERS];
};

/* How far apart the speed-ups of a program are from a row of a sweep on. */
static double spread(const struct findings *x, int sweep, size_t from, size_t program) {
  const struct fear_figure *figure = &x->sweeps[sweep];
  double least = fear_figure_speedup(x->f, &figure->row[from], program), most = least;
  for (size_t s = from; s < figure->count; s++) {
    double here = fear_figure_speedup(x->f, &figure->row[s], program);
    least = here < least ? here : least;
    most = here > most ? here : most;
  }
  return most - least;
}

/* The widest spread among programs from one on to another. */
static double widest(const struct findings *x, int sweep, size_t from, size_t first, size_t last) {
  double most = 0;
  for (size_t i = first; i <= last; i++) most = spread(x, sweep, from, i) > most ? spread(x, sweep, from, i) : most;
  return most;
}

/* The row of a sweep by name. */
static size_t row_named(const struct fear_figure *figure, const char *name) {
  size_t s = 0;
  while (s + 1 < figure->count && strcmp(figure->row[s].name, name) != 0) s++;
  return s;
}

static bool rises(const struct findings *x, size_t program) {
  return x->part[ATOMDIR][program] < x->part[TOPOLOGY][program] &&
         x->part[TOPOLOGY][program] < x->part[SPECFETCH][program];
}

static void put_parts(struct table *table, const struct findings *x, const char *says, size_t program, bool holds) {
  cost_put_statement(table, says, holds, "%.3f, %.3f, %.3f", x->part[ATOMDIR][program], x->part[TOPOLOGY][program],
                     x->part[SPECFETCH][program]);
}

/* The paper reacts to a tenth of a percent in Table II; here half a percent is nothing. */
static void put_findings(struct table *table, const struct findings *x) {
  const double none = 0.005;
  put_parts(table, x, "fluidanimate rises with each part (Figure 9)", FLUIDANIMATE, rises(x, FLUIDANIMATE));
  put_parts(table, x, "hypercolumn rises with each part", HYPERCOLUMN, rises(x, HYPERCOLUMN));
  const double *cached = x->part[ATOMDIR], *ringed = x->part[TOPOLOGY], *guessed = x->part[SPECFETCH];
  double step = guessed[CANNEAL] - ringed[CANNEAL];
  put_parts(table, x, "canneal gains by speculation above all", CANNEAL,
            step > cached[CANNEAL] - 1 && step > ringed[CANNEAL] - cached[CANNEAL] && guessed[CANNEAL] > 1 + none);
  put_parts(table, x, "GPUSort gains by caching, loses by updates, and speculation makes up", GPUSORT,
            cached[GPUSORT] > 1 + none && ringed[GPUSORT] < cached[GPUSORT] && guessed[GPUSORT] > ringed[GPUSORT]);
  put_parts(table, x, "threadFenceReduction does not suffer", REDUCTION, guessed[REDUCTION] > 1 - none);
  size_t entries = row_named(&x->sweeps[TABLES], "1024");
  double tables = widest(x, TABLES, entries, 0, PAPERS - 1);
  cost_put_statement(table, "tables above 1K entries change nothing (Figure 7)", tables < none, "%.3f, %.3f", tables,
                     none);
  const struct fear_figure *wires = &x->sweeps[WIRES];
  size_t some = row_named(wires, "16"), ideal = row_named(wires, "ideal");
  double worst = 0;
  for (size_t i = 0; i < PAPERS; i++) {
    double lost = fear_figure_speedup(x->f, &wires->row[ideal], i) - fear_figure_speedup(x->f, &wires->row[some], i);
    worst = lost > worst ? lost : worst;
  }
  cost_put_statement(table, "16 busy wires come close to ideal updates: lost (Figure 6)", worst < 4 * none,
                     "%.3f, %.3f", worst, 4 * none);
  static const struct {
    int sweep;
    const char *says;
  } most[] = {{MUTEXES, "fluidanimate reacts to mutexes most (Figure 5)"},
              {WIRES, "fluidanimate reacts to busy wires most"},
              {EPOCHS, "fluidanimate reacts to the epoch most (Figure 8)"}};
  for (size_t i = 0; i < ARRAY_COUNT(most); i++) {
    double own = spread(x, most[i].sweep, 0, FLUIDANIMATE), others = widest(x, most[i].sweep, 0, 1, PAPERS - 1);
    cost_put_statement(table, most[i].says, own > others, "%.3f, %.3f", own, others);
  }
}

void fear_figures_add_text(struct cost_report *report, const struct fear_figures *f, const struct fear_figure *parts,
                           const struct fear_figure *sweeps) {
  struct table *table = cost_add_statements(report, "The paper's text");
  bool whole = f->programs.list.count == PAPERS && parts->count == PARTS && fear_figure_done(f, parts) == PARTS;
  for (size_t i = 0; i < FEAR_SWEEPS; i++)
    whole = whole && sweeps[i].count > 1 && fear_figure_done(f, &sweeps[i]) == sweeps[i].count;
  if (!whole) return;
  struct findings x = {.f = f, .parts = parts, .sweeps = sweeps};
  for (size_t k = 0; k < PARTS; k++)
    for (size_t i = 0; i < PAPERS; i++) x.part[k][i] = fear_figure_speedup(f, &parts->row[k], i);
  put_findings(table, &x);
}
