/* SPDX-License-Identifier: MIT */
/* The page of `verify -blocks`. */
#include "checker/report/legalizer_blocks_html.h"

#include <inttypes.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/report/html.h"

static const char style[] =
    ":root{color-scheme:light dark;--line:#ccc;--faint:#555;--bad:#b00020;--good:#17682f}"
    "@media(prefers-color-scheme:dark){:root{--line:#444;--faint:#b0b5bd;--bad:#ff8095;--good:#7fd698}}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem clamp(1rem,3vw,3rem);overflow-wrap:anywhere}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem}.scroll{overflow-x:auto;max-height:80vh}"
    "table{border-collapse:collapse;font-size:.9rem}th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);"
    "text-align:left}td.number{text-align:right}"
    "details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;padding:.3rem "
    ".8rem}summary{cursor:pointer}"
    "pre{overflow-x:auto;font-size:.82rem}.Unsound{color:var(--bad);font-weight:600}.Sound{color:var(--good)}"
    ".Vacuous,.Unread,footer{color:var(--faint)}";

static void write_cell(FILE *out, const char *text) {
  markup_print(out, "<td>%s</td>", text);
}

/* ---- a block ---- */

static void write_element(FILE *out, const struct block *block, const struct block_element *element) {
  bool fence = block->function->kind == INSTR_FENCE;
  fputs("<tr>", out);
  write_cell(out, element->kind);
  write_cell(out, element->before ? "before" : fence ? "" : "after");
  write_cell(out, block_need_name(element->need));
  write_cell(out, element->context                                         ? element->context
                  : element->argument && element->need == BLOCK_NOT_NEEDED ? "may be for an argument"
                                                                           : "");
  fputs("</tr>\n", out);
}

static void write_elements(FILE *out, const struct block *block) {
  if (!block->element_count) return;
  fputs(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"its "
      "instructions\"><table><thead><tr><th>instruction<th>where<th>needed<th>shown by</tr></thead><tbody>\n",
      out);
  for (unsigned e = 0; e < block->element_count; e++) write_element(out, block, &block->elements[e]);
  fputs("</tbody></table></div>\n", out);
  if (!block->together) fputs("<p>What is not needed cannot all go at once.</p>\n", out);
}

void blocks_html_block(FILE *out, const char *file, const char *gpu, const char *operation, const struct block *block) {
  const char *answer = block_answer_name(block->answer);
  markup_print(out, "<details%s><summary><span class=\"%s\">%s</span> %s: %s (<code>%s</code> in %s)</summary>\n<p>",
               block->answer == BLOCK_UNSOUND ? " open" : "", answer, answer, gpu, operation, block->function->name,
               file);
  if (block->reason)
    markup_escape(out, block->reason);
  else
    fprintf(out, "Tried in %u contexts%s.", block->contexts,
            block->scalar ? " in which its location does not change: it is read through the scalar cache" : "");
  fputs("</p>\n", out);
  if (block->answer == BLOCK_UNSOUND)
    markup_print(out, "<p>It goes wrong in %s:</p>\n<pre tabindex=\"0\">%s</pre>\n", block->context,
                 block->trace ? block->trace : "");
  write_elements(out, block);
  fputs("</details>\n", out);
}

/* ---- the page ---- */

static void write_rows(FILE *out, const struct blocks_sums *sums) {
  fputs(
      "<h2>What is needed</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"instructions\"><table>"
      "<thead><tr><th>GPU<th>operation<th>instruction",
      out);
  for (unsigned n = 0; n <= BLOCK_NOTHING; n++) fprintf(out, "<th>%s", block_need_name((enum block_need)n));
  fputs("</tr></thead><tbody>\n", out);
  ARRAY_EACH (const struct blocks_row, row, sums->rows, sums->row_count) {
    fputs("<tr>", out);
    write_cell(out, row->gpu);
    write_cell(out, row->operation);
    write_cell(out, row->kind);
    for (unsigned n = 0; n <= BLOCK_NOTHING; n++) fprintf(out, "<td class=\"number\">%u</td>", row->by_need[n]);
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table></div>\n", out);
}

void blocks_html_page(FILE *out, const char *version, const char *command, const struct blocks_sums *sums,
                      const char *sections) {
  html_begin_page(out, "Code of memory operations", style);
  markup_print(out, "<p><code>%s</code></p>\n", command);
  fprintf(
      out,
      "<p>%" PRIu64 " blocks: <span class=\"Sound\">%" PRIu64 " sound</span>, <span class=\"Unsound\">%" PRIu64
      " unsound</span>, <span class=\"Vacuous\">%" PRIu64 " vacuous</span>, <span class=\"Unread\">%" PRIu64
      " unread</span>. A block is the code of one operation; it is sound if it shows, in no context that was tried, "
      "what the model forbids, and vacuous if no program can have it. Contexts have at most four threads and no "
      "loops.</p></header>\n<main>\n",
      sums->blocks, sums->answers[BLOCK_SOUND], sums->answers[BLOCK_UNSOUND], sums->answers[BLOCK_VACUOUS],
      sums->answers[BLOCK_UNREAD]);
  if (sums->row_count) write_rows(out, sums);
  fputs("<h2>Blocks</h2>\n", out);
  fputs(sections, out);
  fprintf(out, "</main>\n<footer>litscope %s</footer></body></html>\n", version);
}
