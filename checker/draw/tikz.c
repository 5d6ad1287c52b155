/* SPDX-License-Identifier: MIT */
/* Pictures for LaTeX: a tikzpicture, in points, with what Graphviz has placed.
 * Boxes, then nodes, then curves with their labels, so that the paper's own fonts
 * are used and everything can be changed by hand. */
#include <stdbool.h>
#include <string.h>

#include "checker/draw/draw.h"

/* Characters that mean something to LaTeX. */
static void write_text(const char *text, size_t length, FILE *out) {
  static const char *const WORDS[256] = {
      ['\\'] = "\\textbackslash{}", ['~'] = "\\textasciitilde{}", ['^'] = "\\textasciicircum{}",
      ['|'] = "\\textbar{}",        ['<'] = "\\textless{}",       ['>'] = "\\textgreater{}"};
  for (size_t i = 0; i < length; i++) {
    const char *word = WORDS[(unsigned char)text[i]];
    if (strchr("{}$&#_%", text[i]) && text[i]) fputc('\\', out);
    if (word)
      fputs(word, out);
    else
      fputc(text[i], out);
  }
}

/* Graphviz's own line ends, \l, \n and \r, and newlines become the end of a line. */
static void write_lines(const char *text, FILE *out) {
  while (*text) {
    size_t length = strcspn(text, "\n\\");
    write_text(text, length, out);
    text += length;
    bool ends = *text == '\n' || (*text == '\\' && strchr("lnr", text[1]) && text[1]);
    if (ends) {
      text += *text == '\n' ? 1 : 2;
      if (*text) fputs("\\\\{}", out);
    } else if (*text) {
      size_t escaped = text[1] ? 1 : 0; /* what a backslash stands before is meant as it is */
      write_text(text + escaped, 1, out);
      text += 1 + escaped;
    }
  }
}

static const char *attribute(void *object, const char *name, const char *otherwise) {
  const char *value = agget(object, (char *)(uintptr_t)name);
  return value && *value ? value : otherwise;
}

/* `#rrggbb` as in TikZ; names of colours are the same. */
static void write_colour(const char *key, const char *colour, FILE *out) {
  unsigned red, green, blue;
  if (sscanf(colour, "#%2x%2x%2x", &red, &green, &blue) == 3)
    fprintf(out, "%s={rgb,255:red,%u;green,%u;blue,%u}", key, red, green, blue);
  else
    fprintf(out, "%s=%s", key, colour);
}

static void write_boxes(Agraph_t *graph, FILE *out) {
  for (Agraph_t *box = agfstsubg(graph); box; box = agnxtsubg(box)) {
    boxf b = GD_bb(box);
    if (b.UR.x > b.LL.x) {
      fputs("  \\draw[rounded corners=4bp,", out);
      write_colour("draw", attribute(box, "color", "black"), out);
      fprintf(out, "] (%.1f,%.1f) rectangle (%.1f,%.1f);\n", b.LL.x, b.LL.y, b.UR.x, b.UR.y);
      const textlabel_t *label = GD_label(box);
      if (label && *label->text) {
        fputs("  \\node[", out);
        write_colour("text", attribute(box, "fontcolor", "black"), out);
        fprintf(out, "] at (%.1f,%.1f) {", (b.LL.x + b.UR.x) / 2, b.UR.y - 9);
        write_lines(label->text, out);
        fputs("};\n", out);
      }
    }
    write_boxes(box, out);
  }
}

static bool is_plain(Agnode_t *node) {
  const char *shape = attribute(node, "shape", "box");
  return !strcmp(shape, "plaintext") || !strcmp(shape, "none") || !strcmp(shape, "plain");
}

static void write_node(Agnode_t *node, FILE *out) {
  pointf at = ND_coord(node);
  const textlabel_t *label = ND_label(node);
  fputs("  \\node[align=center,", out);
  if (!is_plain(node)) {
    fprintf(out, "rounded corners=4bp,minimum width=%.1fbp,minimum height=%.1fbp,line width=%sbp,", ND_width(node) * 72,
            ND_height(node) * 72, attribute(node, "penwidth", "1"));
    write_colour("draw", attribute(node, "color", "black"), out);
    fputc(',', out);
    write_colour("fill", attribute(node, "fillcolor", "white"), out);
    fputc(',', out);
  }
  write_colour("text", attribute(node, "fontcolor", "black"), out);
  if (strstr(attribute(node, "fontname", ""), "Bold")) fputs(",font=\\litscopefont\\bfseries", out);
  fprintf(out, "] at (%.1f,%.1f) {", at.x, at.y);
  if (label) write_lines(label->text, out);
  fputs("};\n", out);
}

static void write_curve(const bezier *b, FILE *out) {
  pointf from = b->sflag ? b->sp : b->list[0];
  fprintf(out, "(%.1f,%.1f)", from.x, from.y);
  for (size_t i = 1; i + 2 < (size_t)b->size; i += 3) {
    bool last = i + 3 >= (size_t)b->size;
    pointf to = last && b->eflag ? b->ep : b->list[i + 2];
    fprintf(out, " .. controls (%.1f,%.1f) and (%.1f,%.1f) .. (%.1f,%.1f)", b->list[i].x, b->list[i].y,
            b->list[i + 1].x, b->list[i + 1].y, to.x, to.y);
  }
}

static void write_edge(Agedge_t *edge, FILE *out) {
  const splines *s = ED_spl(edge);
  const textlabel_t *label = ED_label(edge);
  const char *style = attribute(edge, "style", ""), *width = attribute(edge, "penwidth", "1");
  if (!s || s->size < 1 || s->list[0].size < 4) return;
  const char *arrow = strcmp(attribute(edge, "dir", "forward"), "none") ? "-{Latex}," : "";
  fprintf(out, "  \\draw[%s%s%sline width=%sbp,", arrow, style, *style ? "," : "", width);
  write_colour("draw", attribute(edge, "color", "black"), out);
  fputs("] ", out);
  write_curve(&s->list[0], out);
  fputs(";\n", out);
  if (!label || !*label->text) return;
  fputs("  \\node[", out);
  write_colour("text", attribute(edge, "fontcolor", "black"), out);
  if (strstr(attribute(edge, "fontname", ""), "Bold")) fputs(",font=\\litscopefont\\bfseries", out);
  fprintf(out, "] at (%.1f,%.1f) {", label->pos.x, label->pos.y);
  write_lines(label->text, out);
  fputs("};\n", out);
}

/* Thick edges before thin ones, as svg_write does. */
static void write_edges(Agraph_t *graph, bool thick, FILE *out) {
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    for (Agedge_t *edge = agfstout(graph, node); edge; edge = agnxtout(graph, edge))
      if (!strcmp(attribute(edge, "penwidth", "1"), "3") == thick) write_edge(edge, out);
}

void tikz_write(Agraph_t *graph, FILE *out) {
  const textlabel_t *title = GD_label(graph);
  fputs(
      "% \\usepackage{tikz} \\usetikzlibrary{arrows.meta}\n"
      "\\begingroup\\def\\litscopefont{\\sffamily\\fontsize{9}{11}\\selectfont}%\n"
      "\\begin{tikzpicture}[x=1bp,y=1bp,font=\\litscopefont,inner sep=1bp]\n",
      out);
  write_boxes(graph, out);
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node)) write_node(node, out);
  write_edges(graph, true, out);
  write_edges(graph, false, out);
  if (title && *title->text) {
    fputs("  \\node[anchor=south west,align=left] at (current bounding box.north west) {", out);
    write_lines(title->text, out);
    fputs("};\n", out);
  }
  fputs("\\end{tikzpicture}\\endgroup\n", out);
}
