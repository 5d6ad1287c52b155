/* SPDX-License-Identifier: MIT */
/* `synth`: the cheapest sound cells of a mapping, found by searching, or a certificate
 * of them checked (synth_certificate.c); of what a compiler emits: synth_target.c. */
#include "checker/program_search/synth.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/outfile.h"
#include "checker/base/path.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/result_files.h"
#include "checker/cmd/synth_command.h"
#include "checker/report/search_json.h"

static const char NONE[] = "%sno mapping of up to %u steps is sound\n";

/* ---- files ---- */

static void write_xml_steps(const struct mapping_cell *cell, FILE *out) {
  static const char *const TARGETS[] = {"wg", "dev", "sys"}, *const LEVELS[] = {"L1", "L2", "GL", "local"};
  int depth = 2;
  for (unsigned i = 0; i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    if (step.op == HW_UNLOCK_LINE || step.op == HW_UNLOCK_RMW) depth--;
    fprintf(out, "%*s", 2 * depth, "");
    if (step.op == HW_FLU || step.op == HW_INV)
      fprintf(out, "<%s cache=\"%s\" target=\"%s\"/>\n", step.op == HW_FLU ? "flu" : "inv", LEVELS[step.level],
              TARGETS[step.target]);
    else if (hw_is_access(step.op))
      fprintf(out, "<%s level=\"%s\"/>\n",
              step.op == HW_LD   ? "ld"
              : step.op == HW_ST ? "st"
                                 : "inc",
              LEVELS[step.level]);
    else if (step.op == HW_LOCK_RMW)
      fprintf(out, "<lock-rmw target=\"%s\">\n", TARGETS[step.target]);
    else
      fputs(step.op == HW_LOCK_LINE     ? "<lock-line>\n"
            : step.op == HW_UNLOCK_LINE ? "</lock-line>\n"
                                        : "</lock-rmw>\n",
            out);
    if (hw_is_lock(step.op)) depth++;
  }
}

/* Is it dearer before? */
static bool is_cheaper(const struct synth_cell *cell) {
  return cell->found && (cell->price_before < 0 || cell->price < cell->price_before);
}

static bool is_dearer(const struct synth_cell *cell) {
  return cell->price_before >= 0 && cell->price > cell->price_before;
}

/* Of several cells all that differ belong together. */
static bool is_new(const struct synth_cell *cell, size_t cell_count) {
  if (cell_count == 1) return is_cheaper(cell);
  struct arena *arena = arena_new();
  bool same = cell->before && !strcmp(mapping_cell_text(arena, cell->before), mapping_cell_text(arena, cell->found));
  arena_free(arena);
  return !same;
}

/* The mapping's own text with the cells that were found in front: the first that
 * serves an operation counts. */
static void write_mapping(const struct synth_command *command, const struct synth_result *r, const char *name,
                          FILE *out) {
  const struct source *source = command->target.mapping->source;
  const char *operations = strstr(source->text, "</about>");
  operations = operations ? operations + strlen("</about>") : source->text;
  fprintf(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping name=\"%s\">\n  <title>%s with the cheapest sound cells "
      "that synth found</title>\n  <about>Found by litscope synth on %s, up to %u steps.</about>\n",
      name, command->target.name, option_text(command->call, OPTION_SYNTH_FAMILY), command->options.steps);
  ARRAY_EACH (const struct synth_cell, cell, r->cells, r->cell_count) {
    static const char *const ORDERS[] = {[ORDER_ACQ] = "acq", [ORDER_REL] = "rel", [ORDER_ACQ_REL] = "ar"};
    if (r->mapping == command->target.mapping || !is_new(cell, r->cell_count)) continue;
    fprintf(out, "  <operation kind=\"%s\" scope=\"dev\" order=\"%s\" remote=\"%s\" region=\"global\">\n",
            mapping_kind_name(cell->key.kind), ORDERS[cell->key.order], cell->key.remote ? "yes" : "no");
    write_xml_steps(cell->found, out);
    fputs("  </operation>\n", out);
  }
  fputs(operations, out);
}

static bool write_file(const struct synth_command *command, const struct synth_result *r, const char *path, bool xml,
                       struct diags *diags) {
  const char *name = path_last(path);
  struct outfile file;
  bool open = outfile_open_named(command->call->arena, path, &file);
  if (open && xml)
    write_mapping(command, r, arena_strndup(command->call->arena, name, strcspn(name, ".")), file.stream);
  else if (open)
    synth_write_certificate(command, r, file.stream);
  return outfile_finish(&file, true, diags);
}

static bool write_files(const struct synth_command *command, const struct synth_result *r, struct diags *diags) {
  const char *path = option_text(command->call, OPTION_SYNTH_OUTPUT);
  return !path || (write_file(command, r, path, true, diags) &&
                   write_file(command, r, arena_printf(command->call->arena, "%s.certificate", path), false, diags));
}

/* ---- results ---- */

static void print_cell(const struct synth_cell *cell, unsigned steps, bool several, FILE *out) {
  struct arena *arena = arena_new();
  fprintf(out, "%s\n", mapping_key_text(arena, cell->key));
  if (cell->before)
    fprintf(out, "  before  %5" PRId64 "  %s\n", cell->price_before, mapping_cell_text(arena, cell->before));
  if (cell->found) {
    fprintf(out, "  %s  %5" PRId64 "  %s\n",
            is_cheaper(cell)  ? "cheaper"
            : is_dearer(cell) ? "dearer "
                              : "least  ",
            cell->price, mapping_cell_text(arena, cell->found));
    if (!several) fprintf(out, "  refuted %5zu  cheaper candidates\n", cell->refuted_count);
  } else {
    if (!several) fprintf(out, NONE, "  ", steps);
    if (cell->smallest) {
      fputs("  all fail on ", out);
      small_print(cell->smallest, out);
      fputc('\n', out);
    }
  }
  arena_free(arena);
}

/* Of several cells together. */
static void print_sum(const struct synth_result *r, unsigned steps, FILE *out) {
  if (r->price < 0) fprintf(out, NONE, "", steps);
  if (r->price >= 0) fprintf(out, "Price %" PRId64, r->price);
  if (r->price >= 0 && r->price_before >= 0) fprintf(out, " of %" PRId64, r->price_before);
  if (r->price >= 0) fputc('\n', out);
  fprintf(out, "Refuted %zu sub-mappings, one within each cheaper mapping\n", r->conflict_count);
}

static int print_result(const struct synth_command *command, const struct synth_result *r, struct result_files *files) {
  struct diags diags = diags_new(command->call->arena);
  FILE *out = files->out;
  bool found = true;
  fprintf(out, "Synth %s\nFamily %s\nPrograms %" PRIu64 "\nRace-free with these operations %" PRIu64 "\n",
          command->target.name, option_text(command->call, OPTION_SYNTH_FAMILY), r->programs, r->race_free);
  for (size_t i = 0; i < r->cell_count; i++) {
    print_cell(&r->cells[i], command->options.steps, r->cell_count > 1, out);
    found &= r->cells[i].found != NULL;
  }
  json_write_synth(result_files_begin_json(files), option_text(command->call, OPTION_SYNTH_FAMILY), &command->options,
                   r);
  result_files_end_json(files);
  if (r->cell_count > 1) print_sum(r, command->options.steps, out);
  if (!found) return STATUS_DIFFERS;
  fprintf(out, "%s\n", r->sound ? "Sound" : "Unsound");
  if (!r->sound) return STATUS_DIFFERS;
  write_files(command, r, &diags);
  return diags_report(&diags);
}

/* ---- searching ---- */

static bool run(void *context, struct parts *parts, struct diags *diags) {
  struct synth_command *command = context;
  (void)diags;
  command->options.parts = parts;
  command->synth = synth_new(command->call->arena, &command->options);
  return synth_do_parts(command->synth);
}

static bool finish(void *context) {
  struct synth_command *command = context;
  command->result = synth_finish(command->synth);
  return command->result.complete;
}

static int print(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct synth_command *command = context;
  (void)parts;
  (void)subject;
  (void)stopped;
  return print_result(command, &command->result, files);
}

static int search(struct synth_command *command) {
  const atomic_int *cancel = tests_watch_limits(command->call);
  command->options.verify.explore = hardware_explore_options(command->call, cancel);
  command->options.verify.model = families_limits(command->call, cancel);
  const struct campaign campaign = {
      .context = command, .subjects = 1, .cancel = cancel, .run = run, .finish = finish, .print = print};
  return campaign_run(command->call, &campaign);
}

int command_synth(struct invocation *call) {
  struct synth_command command = {.call = call};
  struct diags diags = diags_new(call->arena);
  const char *certificate = option_text(call, OPTION_CHECK);
  if (certificate && synth_target_wrote(certificate)) return synth_target_check(call, certificate);
  if (!certificate && option_given(call, OPTION_TARGET)) return synth_target(call);
  if (certificate) return synth_check_certificate(&command, certificate);
  if (!synth_prepare(&command, option_text(call, OPTION_SYNTH_FAMILY),
                     option_given(call, OPTION_CELLS) ? option_text(call, OPTION_CELLS) : ".",
                     (unsigned)option_number(call, OPTION_STEPS), &diags))
    return diags_report(&diags);
  return search(&command);
}
