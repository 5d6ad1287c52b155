/* SPDX-License-Identifier: MIT */
/* HTML by hand: one page that needs nothing else. Its style and its
 * script are below. */
#include "checker/report/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/base/text.h"
#include "checker/report/log.h"
#include "checker/report/models_table.h"

/* Text as wide as can be read, the table as wide as it is; light or dark as the system is.  Pictures stay light. */
static const char style[] =
    ":root{color-scheme:light dark;--text:#1c1c1c;--page:#fff;--line:#ddd;--edge:#888;--block:#f6f6f6;--faint:#555;"
    "--racy:#a33;--never:#17682f;--bad:#c8102e;--focus:#1f4fd8}"
    "@media(prefers-color-scheme:dark){:root{--text:#e6e6e6;--page:#16181c;--line:#3a3e45;--edge:#7d838c;"
    "--block:#22252b;--faint:#b0b5bd;--racy:#ff9a8f;--never:#7fd698;--bad:#ff8095;--focus:#8fb0ff}a{color:#8fb0ff}"
    "a:visited{color:#c7a6ff}}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem clamp(1rem,3vw,3rem);"
    "color:var(--text);background:var(--page);overflow-wrap:anywhere}"
    "header,.controls,details,footer{max-width:72rem}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin:0;display:inline}h3{font-size:1rem;margin:1rem 0 .3rem}"
    "table{border-collapse:collapse;font-size:.9rem}th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);"
    "text-align:left}"
    "#table{overflow:auto;overflow-wrap:normal;max-height:85vh;width:fit-content;max-width:100%}"
    "#table thead th{position:sticky;top:0;background:var(--page);padding:0;border-bottom:2px solid var(--edge);"
    "vertical-align:bottom}"
    "#table tr>:first-child{position:sticky;left:0;background:var(--page);z-index:1}#table thead "
    "th:first-child{z-index:2}"
    "#table tfoot>tr>*{border-top:2px solid var(--edge);vertical-align:top}"
    "th button{font:inherit;color:inherit;background:none;border:0;padding:.35rem .6rem;cursor:pointer;width:100%;"
    "text-align:left}"
    "th[aria-sort=ascending] button::after{content:' \\25b2'}th[aria-sort=descending] button::after{content:' \\25bc'}"
    ":focus-visible{outline:2px solid var(--focus);outline-offset:-2px}"
    ".scroll{overflow-x:auto}pre{background:var(--block);padding:.7rem;overflow-x:auto;font-size:.82rem;line-height:1."
    "4}"
    ".racy{color:var(--racy)}.never{color:var(--never)}.bad{color:var(--bad);font-weight:600}"
    "details{border:1px solid var(--line);border-radius:.4rem;margin:.6rem 0;padding:.5rem .8rem}"
    "summary{cursor:pointer}figure{margin:.8rem 0;overflow-x:auto}figure "
    "img{max-width:100%;min-width:22rem;height:auto;background:#fff;border-radius:.4rem}"
    "figcaption,footer{font-size:.85rem;color:var(--faint)}.controls{display:flex;flex-wrap:wrap;gap:.8rem;"
    "margin:.8rem 0;align-items:center}.controls input[type=search]{flex:1 1 14rem;padding:.4rem;font:inherit}"
    ".tree,.tree div{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;font-size:.8rem}"
    ".tree div{border:1px solid var(--edge);border-radius:.4rem;padding:.3rem .5rem}.tree b{font-weight:600}";

/* Rows are filtered and sorted by keys that are read once; pictures are read
 * when their section is opened. */
static const char script[] =
    "(function(){var body=document.querySelector('#verdicts tbody'),search=document.querySelector('#search'),"
    "differ=document.querySelector('#differ'),shown=document.querySelector('#shown'),"
    "order=new Intl.Collator(undefined,{numeric:true}),"
    "rows=[].map.call(body.rows,function(row){return{row:row,text:row.textContent.toLowerCase(),"
    "section:document.getElementById(row.dataset.section),keys:[].map.call(row.cells,function(c){"
    "return c.dataset.rank===undefined?c.textContent:+c.dataset.rank})}});"
    "function filter(){var words=search.value.toLowerCase().split(/\\s+/),n=0;rows.forEach(function(r){"
    "var ok=words.every(function(w){return r.text.indexOf(w)>=0})&&(!differ.checked||r.row.dataset.differ);"
    "r.row.hidden=!ok;if(r.section)r.section.hidden=!ok;if(ok)n++});shown.textContent=n+' of '+rows.length+' tests'}"
    /* Amounts by size, what has none after them. */
    "function compare(a,b){var x=typeof a==='number',y=typeof b==='number';"
    "return x&&y?a-b:x?-1:y?1:order.compare(a,b)}"
    "function sort(th){var i=th.cellIndex,up=th.getAttribute('aria-sort')!=='ascending';"
    "[].forEach.call(th.parentNode.cells,function(c){c.removeAttribute('aria-sort')});"
    "th.setAttribute('aria-sort',up?'ascending':'descending');rows.sort(function(a,b){"
    "var c=compare(a.keys[i],b.keys[i]);return up?c:-c});"
    "var all=document.createDocumentFragment();rows.forEach(function(r){all.appendChild(r.row)});body.appendChild(all)}"
    "[].forEach.call(document.querySelectorAll('#verdicts thead button'),function(b){"
    "b.addEventListener('click',function(){sort(b.parentNode)})});"
    "search.addEventListener('input',filter);differ.addEventListener('change',filter);filter();"
    "document.addEventListener('toggle',function(e){if(!e.target.open)return;"
    "[].forEach.call(e.target.querySelectorAll('figure[data-picture]'),function(f){"
    "var img=new Image();img.alt=f.dataset.label;img.src=f.dataset.picture;f.removeAttribute('data-picture');"
    "f.insertBefore(img,f.firstChild)})},true);"
    "function open(){var h=decodeURIComponent(location.hash.slice(1)),s=h&&(document.getElementById(h)||"
    "document.getElementById('t-'+h));"
    "if(s&&s.tagName==='DETAILS'){s.open=true;s.scrollIntoView()}}"
    "window.addEventListener('hashchange',open);open()})();";

/* ---- the table ---- */

static const char *cell_class(const struct result *result) {
  if (result->kind != RESULT_DONE) return "bad";
  return result->undefined                                                        ? "racy"
         : !strcmp(result->verdict, "Never") || !strcmp(result->verdict, "Sound") ? "never"
                                                                                  : "";
}

static void write_cell(FILE *out, const struct result *result) {
  if (!result) {
    fputs("<td>-</td>", out);
    return;
  }
  fprintf(out, "<td class=\"%s\"", cell_class(result));
  if (result->ranked) fprintf(out, " data-rank=\"%" PRId64 "\"", result->rank);
  if (result->message) markup_print(out, " title=\"%s\"", result->message);
  markup_print(out, ">%s%s</td>", result_answer(result), models_table_racy(result) ? " racy" : "");
}

static void write_row(FILE *out, const struct results *results, size_t first, size_t end, const char *const *subjects,
                      size_t subject_count) {
  const struct result *result = &results->at[first];
  fputs(models_table_differs(results, first, end) ? "<tr data-differ=\"1\"" : "<tr", out);
  markup_print(out, " data-section=\"t-%s\"><td><a href=\"#t-%s\">%s</a></td>", result->label, result->label,
               result->test);
  for (size_t k = 0; k < subject_count; k++)
    write_cell(out, FIND_ROW(results->at + first, end - first, subject, subjects[k]));
  fputs("</tr>\n", out);
}

/* How many tests have each verdict of a subject, in the order of their first; of amounts, nothing. */
static void write_totals(FILE *out, const struct results *results, const char *subject) {
  enum { MOST = 16 };
  const char *texts[MOST];
  size_t counts[MOST], kinds = 0, racy = 0;
  ARRAY_EACH (const struct result, result, results->at, results->count) {
    if (strcmp(result->subject, subject) != 0 || result->ranked) continue;
    size_t k = 0;
    while (k < kinds && strcmp(texts[k], result_answer(result)) != 0) k++;
    if (k == MOST) continue;
    if (k == kinds) texts[kinds] = result_answer(result), counts[kinds++] = 0;
    counts[k]++;
    racy += models_table_racy(result);
  }
  fputs("<td>", out);
  for (size_t k = 0; k < kinds; k++) {
    fprintf(out, "%s%zu ", k ? "<br>" : "", counts[k]);
    markup_escape(out, texts[k]);
  }
  if (racy) fprintf(out, "<br>%zu racy", racy);
  fputs("</td>", out);
}

static void write_table(FILE *out, const struct results *results, const char *const *subjects, size_t subject_count) {
  fputs(
      "<div class=\"controls\"><input id=\"search\" type=\"search\" placeholder=\"filter: a name, sometimes, racy "
      "...\" "
      "aria-label=\"filter\"><label><input id=\"differ\" type=\"checkbox\"> only where models differ</label>"
      "<span id=\"shown\" role=\"status\"></span></div>\n<div id=\"table\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"results by test\"><table id=\"verdicts\"><thead><tr>"
      "<th scope=\"col\"><button>test</button></th>",
      out);
  for (size_t i = 0; i < subject_count; i++)
    markup_print(out, "<th scope=\"col\"><button>%s</button></th>", subjects[i]);
  fputs("</tr></thead><tbody>\n", out);
  for (size_t first = 0; first < results->count;) {
    size_t end = models_table_row_end(results, first);
    write_row(out, results, first, end, subjects, subject_count);
    first = end;
  }
  fputs("</tbody><tfoot><tr><th scope=\"row\">total</th>", out);
  for (size_t i = 0; i < subject_count; i++) write_totals(out, results, subjects[i]);
  fputs("</tr></tfoot></table></div>\n", out);
}

static void write_about(FILE *out, const struct html_page *page) {
  markup_print(out, "<footer><p>litscope %s, %s. Command: <code>%s</code></p></footer>\n", page->version, page->date,
               page->command);
}

void html_begin_page(FILE *out, const char *title, const char *css) {
  markup_print(out,
               "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
               "content=\"width=device-width,initial-scale=1\"><title>%s</title><style>",
               title);
  fputs(css, out);
  markup_print(out, "</style></head><body>\n<header><h1>%s</h1>\n", title);
}

void html_write_page(FILE *out, const struct html_page *page, const struct results *results,
                     const char *const *subjects, size_t subject_count, const char *sections) {
  html_begin_page(out, page->title, style);
  fputs(
      "<p>Never, Sometimes, Always: how many executions meet the test's condition. <span class=\"racy\">racy"
      "</span>: some execution has undefined behaviour. Sound, Unsound: whether a compiler mapping keeps to its "
      "model. A test's name leads to its text, states, reasons and pictures.</p>\n"
      "<noscript><p>Pictures, sorting and filtering need JavaScript.</p></noscript></header>\n<main>\n",
      out);
  write_table(out, results, subjects, subject_count);
  fprintf(out, "%s</main>\n", sections);
  write_about(out, page);
  fprintf(out, "<script>%s</script></body></html>\n", script);
}

/* ---- a test ---- */

/* Levels of the scope tree, widest first. */
static const struct bounds_level {
  const char *name;
  enum scope scope;
  bool optional; /* shown only where it is told apart from the level around it, and from single threads */
} levels[] = {{"device", SCOPE_DEV, false},
              {"queue family", SCOPE_QF, true},
              {"work-group", SCOPE_WG, false},
              {"sub-group", SCOPE_SG, true}};
enum { LEVELS = ARRAY_COUNT(levels) };

static unsigned instance_of(const struct program *program, unsigned thread, size_t level) {
  return thread_instance(&program->threads[thread], levels[level].scope);
}

/* Do two threads share an instance of the level, and are some of the level around it in different ones? */
static bool level_shows(const struct program *program, size_t level) {
  bool shared = false, split = false;
  for (unsigned i = 0; i < program->thread_count; i++)
    for (unsigned j = 0; j < i; j++) {
      bool same = instance_of(program, i, level) == instance_of(program, j, level);
      shared |= same;
      split |= !same && instance_of(program, i, level - 1) == instance_of(program, j, level - 1);
    }
  return !levels[level].optional || (shared && (split || level == LEVELS - 1));
}

static bool is_first(const struct program *program, unsigned t, size_t level) {
  for (unsigned i = 0; i < t; i++)
    if (instance_of(program, i, level) == instance_of(program, t, level)) return false;
  return true;
}

/* The instance of a level that thread t is in, with what it holds. */
static void write_instance(FILE *out, const struct program *program, size_t level, unsigned t) {
  size_t inner = level + 1;
  while (inner < LEVELS && !level_shows(program, inner)) inner++;
  unsigned instance = instance_of(program, t, level);
  fprintf(out, "<div>%s %u", levels[level].name, instance);
  for (unsigned i = t; i < program->thread_count; i++) {
    if (instance_of(program, i, level) != instance) continue;
    if (inner == LEVELS)
      fprintf(out, " <b>%s</b>", program->threads[i].name);
    else if (is_first(program, i, inner))
      write_instance(out, program, inner, i);
  }
  fputs("</div>", out);
}

static void write_tree(FILE *out, const struct program *program) {
  fputs("<h3>Scopes</h3><div class=\"tree\">", out);
  for (unsigned t = 0; t < program->thread_count; t++)
    if (is_first(program, t, 0)) write_instance(out, program, 0, t);
  fputs("</div>\n", out);
}

void html_open_test(FILE *out, const struct litmus_test *test, const char *label) {
  markup_print(out, "<details id=\"t-%s\"><summary><h2>%s</h2></summary>\n", label, test->name);
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
  for (unsigned i = 0; i < v->test->observable_count; i++) {
    fputs("<td>", out);
    observable_print_value(v->test->program, v->test->observables[i], values[i], out);
    fputs("</td>", out);
  }
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
  fputs("<h3>States</h3><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"states\"><table><thead><tr>",
        out);
  for (unsigned i = 0; i < test->observable_count; i++) {
    char *name = log_observable_name(test, test->observables[i]);
    markup_print(out, "<th>%s</th>", name);
    free(name);
  }
  for (size_t k = 0; k < count; k++) markup_print(out, "<th>%s</th>", verdicts[k]->model);
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
  markup_print(
      out, "Numbers are executions that end in the state; none: the model forbids it. Condition: <code>%s</code></p>\n",
      test->condition_text);
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
  markup_print(out, "<figure tabindex=\"0\" data-label=\"%s\" data-picture=\"", caption);
  write_data(out, start);
  markup_print(out, "\"><figcaption>%s</figcaption></figure>\n", caption);
}

void html_write_text(FILE *out, const char *heading, const char *text) {
  if (heading) markup_print(out, "<h3>%s</h3>", heading);
  if (*text) markup_print(out, "<pre tabindex=\"0\">%s</pre>\n", text);
}
