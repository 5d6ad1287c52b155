/* SPDX-License-Identifier: MIT */
/* HTML by hand; a page's style and its script are below. */
#include "checker/report/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/escape.h"
#include "checker/report/log.h"

static const char style[] =
    ":root{color-scheme:light}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:1rem;"
    "color:#1c1c1c;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin:0;display:inline}h3{font-size:1rem;margin:1rem 0 .3rem}"
    "table{border-collapse:collapse;font-size:.9rem}th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;"
    "text-align:left;white-space:nowrap}thead th{position:sticky;top:0;background:#fff;cursor:pointer}"
    "thead th:focus-visible{outline:2px solid #1f4fd8}"
    ".scroll{overflow-x:auto}pre{background:#f6f6f6;padding:.7rem;overflow-x:auto;font-size:.82rem;line-height:1.4}"
    ".racy{color:#a33}.never{color:#17682f}.bad{color:#c8102e;font-weight:600}"
    "details{border:1px solid #ddd;border-radius:.4rem;margin:.6rem 0;padding:.5rem .8rem}"
    "summary{cursor:pointer}figure{margin:.8rem 0;overflow-x:auto}figure "
    "img{max-width:100%;min-width:22rem;height:auto}"
    "figcaption{font-size:.85rem;color:#555}.controls{display:flex;flex-wrap:wrap;gap:.8rem;margin:.8rem 0}"
    ".controls input[type=search]{flex:1 1 14rem;padding:.4rem;font:inherit}"
    ".tree{display:flex;flex-wrap:wrap;gap:.5rem;font-size:.8rem}.tree div{border:1px solid #aaa;border-radius:.4rem;"
    "padding:.3rem .5rem;display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}.tree b{font-weight:600}";

static const char script[] =
    "(function(){var body=document.querySelector('#verdicts tbody'),rows=[].slice.call(body.rows),"
    "search=document.querySelector('#search'),differ=document.querySelector('#differ'),"
    "shown=document.querySelector('#shown');"
    "function filter(){var words=search.value.toLowerCase().split(/\\s+/),n=0;rows.forEach(function(row){"
    "var text=row.textContent.toLowerCase(),ok=words.every(function(w){return text.indexOf(w)>=0})&&"
    "(!differ.checked||row.dataset.differ);row.hidden=!ok;var s=document.getElementById(row.dataset.section);"
    "if(s)s.hidden=!ok;if(ok)n++});shown.textContent=n+' of '+rows.length+' tests'}"
    "function sort(th){var i=th.cellIndex,up=th.getAttribute('aria-sort')!=='ascending';"
    "[].forEach.call(th.parentNode.cells,function(c){c.removeAttribute('aria-sort')});"
    "th.setAttribute('aria-sort',up?'ascending':'descending');rows.sort(function(a,b){"
    "var c=a.cells[i].textContent.localeCompare(b.cells[i].textContent,undefined,{numeric:true});return up?c:-c});"
    "rows.forEach(function(r){body.appendChild(r)})}"
    "[].forEach.call(document.querySelectorAll('#verdicts thead th'),function(th){th.tabIndex=0;"
    "th.addEventListener('click',function(){sort(th)});th.addEventListener('keydown',function(e){"
    "if(e.key==='Enter'||e.key===' '){e.preventDefault();sort(th)}})});"
    "search.addEventListener('input',filter);differ.addEventListener('change',filter);filter();"
    "function open(){var h=decodeURIComponent(location.hash.slice(1)),s=h&&(document.getElementById(h)||"
    "document.getElementById('t-'+h));"
    "if(s&&s.tagName==='DETAILS'){s.open=true;s.scrollIntoView()}}"
    "window.addEventListener('hashchange',open);open()})();";

/* ---- the table ---- */

static void cell_text(const struct record *record, char *text, size_t size) {
  const char *verdict = record->kind == RECORD_LIMIT ? "limit" : record->kind == RECORD_BAD ? "error" : record->verdict;
  snprintf(text, size, "%s%s", verdict, record->racy && strcmp(verdict, "Undefined") ? " racy" : "");
}

static const char *cell_class(const struct record *record) {
  if (record->kind != RECORD_DONE) return "bad";
  return record->racy ? "racy" : !strcmp(record->verdict, "Never") || !strcmp(record->verdict, "Sound") ? "never" : "";
}

static size_t group_end(const struct records *records, size_t first) {
  size_t end = first + 1;
  while (end < records->count && !strcmp(records->at[end].label, records->at[first].label)) end++;
  return end;
}

/* Do the models (whose verdicts are observations) part? */
static bool models_differ(const struct records *records, size_t first, size_t end) {
  char seen[64] = "";
  for (size_t i = first; i < end; i++) {
    char text[64];
    const char *verdict = records->at[i].verdict;
    if (strcmp(verdict, "Never") && strcmp(verdict, "Sometimes") && strcmp(verdict, "Always")) continue;
    cell_text(&records->at[i], text, sizeof text);
    if (*seen && strcmp(seen, text) != 0) return true;
    snprintf(seen, sizeof seen, "%s", text);
  }
  return false;
}

static void write_cell(FILE *out, const struct record *record) {
  if (!record) {
    fputs("<td>-</td>", out);
    return;
  }
  char text[64];
  cell_text(record, text, sizeof text);
  fprintf(out, "<td class=\"%s\"", cell_class(record));
  if (record->message) {
    fputs(" title=\"", out);
    markup_escape(out, record->message);
    fputc('"', out);
  }
  fputc('>', out);
  markup_escape(out, text);
  fputs("</td>", out);
}

static void write_row(FILE *out, const struct records *records, size_t first, size_t end, const char *const *subjects,
                      size_t subject_count) {
  fprintf(out, "<tr%s data-section=\"t-", models_differ(records, first, end) ? " data-differ=\"1\"" : "");
  markup_escape(out, records->at[first].label);
  fputs("\"><td><a href=\"#t-", out);
  markup_escape(out, records->at[first].label);
  fputs("\">", out);
  markup_escape(out, records->at[first].test);
  fputs("</a></td>", out);
  for (size_t k = 0; k < subject_count; k++) {
    const struct record *found = NULL;
    for (size_t i = first; i < end; i++)
      if (!strcmp(records->at[i].subject, subjects[k])) found = &records->at[i];
    write_cell(out, found);
  }
  fputs("</tr>\n", out);
}

static void write_table(FILE *out, const struct records *records, const char *const *subjects, size_t subject_count) {
  fputs(
      "<div class=\"controls\"><input id=\"search\" type=\"search\" placeholder=\"filter: a name, sometimes, racy "
      "...\" "
      "aria-label=\"filter\"><label><input id=\"differ\" type=\"checkbox\"> only where models differ</label>"
      "<span id=\"shown\"></span></div>\n<div class=\"scroll\"><table id=\"verdicts\"><thead><tr><th>test</th>",
      out);
  for (size_t i = 0; i < subject_count; i++) {
    fputs("<th>", out);
    markup_escape(out, subjects[i]);
    fputs("</th>", out);
  }
  fputs("</tr></thead><tbody>\n", out);
  for (size_t first = 0; first < records->count;) {
    size_t end = group_end(records, first);
    write_row(out, records, first, end, subjects, subject_count);
    first = end;
  }
  fputs("</tbody></table></div>\n", out);
}

void html_write_page(FILE *out, const char *title, const struct records *records, const char *const *subjects,
                     size_t subject_count, const char *sections) {
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
      out);
  markup_escape(out, title);
  fprintf(out, "</title><style>%s</style></head><body>\n<h1>", style);
  markup_escape(out, title);
  fputs(
      "</h1>\n<p>Never, Sometimes, Always: how many executions meet the test's condition. <span class=\"racy\">racy"
      "</span>: some execution has undefined behaviour. Sound, Unsound: whether a compiler mapping keeps to its "
      "model.</p>\n",
      out);
  write_table(out, records, subjects, subject_count);
  fprintf(out, "%s<script>%s</script></body></html>\n", sections, script);
}

/* ---- a test ---- */

static bool first_of_group(const struct program *program, unsigned t, bool device) {
  for (unsigned i = 0; i < t; i++)
    if (device ? program->threads[i].dev == program->threads[t].dev : program->threads[i].wg == program->threads[t].wg)
      return false;
  return true;
}

static void write_group(FILE *out, const struct program *program, unsigned t) {
  fprintf(out, "<div>work-group %u", program->threads[t].wg);
  for (unsigned i = t; i < program->thread_count; i++)
    if (program->threads[i].wg == program->threads[t].wg) fprintf(out, " <b>%s</b>", program->threads[i].name);
  fputs("</div>", out);
}

static void write_tree(FILE *out, const struct program *program) {
  fputs("<h3>Scopes</h3><div class=\"tree\">", out);
  for (unsigned d = 0; d < program->thread_count; d++) {
    if (!first_of_group(program, d, true)) continue;
    fprintf(out, "<div>device %u", program->threads[d].dev);
    for (unsigned t = d; t < program->thread_count; t++)
      if (program->threads[t].dev == program->threads[d].dev && first_of_group(program, t, false))
        write_group(out, program, t);
    fputs("</div>", out);
  }
  fputs("</div>\n", out);
}

void html_open_test(FILE *out, const struct litmus_test *test, const char *label) {
  fputs("<details id=\"t-", out);
  markup_escape(out, label);
  fputs("\"><summary><h2>", out);
  markup_escape(out, test->name);
  fputs("</h2></summary>\n", out);
  html_write_text(out, NULL, test->source->text);
  if (test->program->placed) write_tree(out, test->program);
}

void html_close_test(FILE *out) {
  fputs("</details>\n", out);
}

/* Rows of the table of states: more than this nobody reads. */
enum { STATE_ROWS = 1000 };

static bool told_before(const struct verdict *const *verdicts, size_t model, const int64_t *values) {
  for (size_t i = 0; i < model; i++)
    if (outcomes_find(&verdicts[i]->states, values)) return true;
  return false;
}

static void write_state_row(FILE *out, const struct verdict *const *verdicts, size_t count, const struct verdict *v,
                            const int64_t *values) {
  fputs("<tr>", out);
  for (unsigned i = 0; i < v->test->observable_count; i++) fprintf(out, "<td>%" PRId64 "</td>", values[i]);
  for (size_t k = 0; k < count; k++) {
    const struct outcome *state = outcomes_find(&verdicts[k]->states, values);
    if (state)
      fprintf(out, "<td>%" PRIu64 "</td>", state->count);
    else
      fputs("<td></td>", out);
  }
  fputs("</tr>\n", out);
}

void html_write_states(FILE *out, const struct verdict *const *verdicts, size_t count) {
  if (!count) return;
  const struct litmus_test *test = verdicts[0]->test;
  fputs("<h3>States</h3><div class=\"scroll\"><table><thead><tr>", out);
  for (unsigned i = 0; i < test->observable_count; i++) {
    char *name = log_observable_name(test, test->observables[i]);
    fputs("<th>", out);
    markup_escape(out, name);
    fputs("</th>", out);
    free(name);
  }
  for (size_t k = 0; k < count; k++) {
    fputs("<th>", out);
    markup_escape(out, verdicts[k]->model);
    fputs("</th>", out);
  }
  fputs("</tr></thead><tbody>\n", out);
  size_t rows = 0;
  bool cut = false;
  for (size_t k = 0; k < count; k++) {
    const struct verdict *v = verdicts[k];
    for (size_t i = 0; i < v->states.count && !cut; i++) {
      if (told_before(verdicts, k, v->states.at[i].values)) continue;
      cut = rows++ == STATE_ROWS;
      if (!cut) write_state_row(out, verdicts, count, v, v->states.at[i].values);
    }
  }
  fputs("</tbody></table></div>\n<p>", out);
  if (cut) fprintf(out, "Only the first %d states are shown. ", STATE_ROWS);
  fputs("Numbers are executions that end in the state; none: the model forbids it. Condition: <code>", out);
  markup_escape(out, test->condition_text);
  fputs("</code></p>\n", out);
}

/* A picture within the page, and yet a document of its own: its styles and
 * identifiers do not meet those of others. */
static void write_data(FILE *out, const char *svg) {
  fputs("data:image/svg+xml,", out);
  for (; *svg; svg++) {
    if (strchr("%#<>\"'&\n\r\t{}", *svg) || (unsigned char)*svg >= 0x80)
      fprintf(out, "%%%02x", (unsigned char)*svg);
    else
      fputc(*svg, out);
  }
}

void html_write_figure(FILE *out, const char *svg, const char *caption) {
  const char *start = strstr(svg, "<svg");
  if (!start) return;
  fputs("<figure><img alt=\"", out);
  markup_escape(out, caption);
  fputs("\" src=\"", out);
  write_data(out, start);
  fputs("\"><figcaption>", out);
  markup_escape(out, caption);
  fputs("</figcaption></figure>\n", out);
}

void html_write_text(FILE *out, const char *heading, const char *text) {
  if (heading) {
    fputs("<h3>", out);
    markup_escape(out, heading);
    fputs("</h3>", out);
  }
  if (!*text) return;
  fputs("<pre>", out);
  markup_escape(out, text);
  fputs("</pre>\n", out);
}
