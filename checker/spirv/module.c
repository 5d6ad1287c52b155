/* SPDX-License-Identifier: MIT */
/* Modules through SPIRV-Tools' C interface.
 *
 * A module in text loses its names and lines on the way to words.  The assembler
 * makes one instruction of each that it reads, in order, so the n-th that begins
 * in the text is the n-th of the words: names of ids come from there, and places.
 */
#include "checker/spirv/module.h"

#include <ctype.h>
#include <inttypes.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/spirv/tools.h"

static const spv_target_env environment = SPV_ENV_UNIVERSAL_1_6;

bool module_fail(struct module *module, const struct inst *at, const char *format, ...) {
  if (module->failed) return false;
  module->failed = true;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(module->arena, format, args);
  va_end(args);
  if (memchr(module->source->text, '\0', module->source->size)) /* words of which no text could be made */
    diag_fail(module->diags, "%s: %s", module->source->name, message);
  else
    diag_error(module->diags, module->source, at && at->span.length ? at->span : module->here, "%s", message);
  return false;
}

const char *module_opcode_name(const struct inst *inst) {
  static _Thread_local char name[64];
  snprintf(name, sizeof name, "Op%s", spvOpcodeString(inst->opcode));
  return name;
}

const char *module_string(const struct inst *inst, unsigned index) {
  return index < inst->operand_count ? (const char *)&inst->operands[index] : "";
}

const char *module_name(const struct module *module, uint32_t id) {
  const char *name = id < module->bound ? module->names[id] : NULL;
  if (!name) return arena_printf(module->arena, "%%%u", id);
  return isdigit((unsigned char)*name) ? arena_printf(module->arena, "%%%s", name) : name;
}

static bool is_compute(const struct inst *entry) {
  return entry->operands[0] == SpvExecutionModelKernel || entry->operands[0] == SpvExecutionModelGLCompute;
}

const struct inst *module_entry(const struct module *module) {
  ARRAY_EACH (const struct inst, inst, module->insts, module->inst_count) {
    if (inst->opcode != SpvOpEntryPoint) continue;
    if (is_compute(inst) && (!module->kernel || !strcmp(module_string(inst, 2), module->kernel))) return inst;
  }
  return NULL;
}

/* Is it of the module, or a parameter of its entry point: what the user's names mean first of all? */
static bool is_outside(const struct module *module, const struct inst *def) {
  const struct inst *function = NULL, *entry = module_entry(module);
  if (def->opcode != SpvOpFunctionParameter)
    return def->opcode == SpvOpVariable && def->operands[0] != SpvStorageClassFunction;
  for (const struct inst *inst = module->insts; inst <= def; inst++)
    if (inst->opcode == SpvOpFunction) function = inst;
  return function && entry && entry->operands[1] == function->result;
}

/* The variable to which only OpName gives the name, as in the text of a binary, where a type has it; 0: there is none.
 */
static uint32_t variable_named(const struct module *module, const char *name) {
  ARRAY_EACH (const struct inst, inst, module->insts, module->inst_count) {
    if (inst->opcode != SpvOpName || strcmp(module_string(inst, 1), name) != 0) continue;
    const struct inst *def = module->defs[inst->operands[0]];
    if (def && is_outside(module, def)) return inst->operands[0];
  }
  return 0;
}

static bool is_number(const char *text) {
  return strspn(text, "0123456789") == strlen(text);
}

const char *module_variable_name(const struct module *module, uint32_t id) {
  const char *shown = module->names[id], *name = NULL;
  for (unsigned i = 0; i < module->inst_count && !name; i++)
    if (module->insts[i].opcode == SpvOpName && module->insts[i].operands[0] == id)
      name = module_string(&module->insts[i], 1);
  if (!shown || !name) return shown ? module_name(module, id) : NULL;
  size_t length = strlen(name);
  if (!length && *shown == '_' && is_number(shown + strspn(shown, "_"))) return NULL;
  bool numbered = !strncmp(shown, name, length) && shown[length] == '_' && is_number(shown + length + 1);
  return length && numbered && module_find(module, name) == id ? name : module_name(module, id);
}

uint32_t module_find(const struct module *module, const char *name) {
  uint32_t inside = 0;
  for (uint32_t id = 1; id < module->bound; id++) {
    if (!module->names[id] || !module->defs[id] || strcmp(module->names[id], name) != 0) continue;
    if (is_outside(module, module->defs[id])) return id;
    if (!inside) inside = id;
  }
  uint32_t variable = variable_named(module, name);
  if (variable || inside) return variable ? variable : inside;
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  return !*end && number < module->bound && module->defs[number] && !module->names[number] ? (uint32_t)number : 0;
}

/* ---- words ---- */

static bool is_words(const struct source *source) {
  uint32_t first;
  if (source->size < sizeof first) return false;
  memcpy(&first, source->text, sizeof first);
  return first == SpvMagicNumber || first == __builtin_bswap32(SpvMagicNumber);
}

bool module_is_spirv(const struct source *source) {
  if (is_words(source) || text_ends_in(source->name, ".spvasm") || text_ends_in(source->name, ".spv")) return true;
  const char *text = source->text;
  while (isspace((unsigned char)*text)) text++;
  return *text == ';' && strstr(text, "OpMemoryModel");
}

struct parse {
  struct module *module;
  VEC(struct inst) insts;
};

static spv_result_t take_header(void *user, spv_endianness_t endian, uint32_t magic, uint32_t version,
                                uint32_t generator, uint32_t bound, uint32_t schema) {
  struct parse *p = user;
  (void)endian, (void)magic, (void)version, (void)generator, (void)schema;
  p->module->bound = bound;
  return SPV_SUCCESS;
}

static enum inst_set set_of(spv_ext_inst_type_t type) {
  if (type == SPV_EXT_INST_TYPE_OPENCL_STD) return SET_OPENCL;
  if (type == SPV_EXT_INST_TYPE_GLSL_STD_450) return SET_GLSL;
  return type == SPV_EXT_INST_TYPE_NONSEMANTIC_CLSPVREFLECTION ? SET_CLSPV : SET_OTHER;
}

static spv_result_t take_inst(void *user, const spv_parsed_instruction_t *from) {
  struct parse *p = user;
  struct inst *inst = vec_push(p->module->arena, &p->insts);
  unsigned skip = 1u + (from->type_id != 0) + (from->result_id != 0);
  uint32_t *operands = ARENA_ARRAY(p->module->arena, uint32_t, from->num_words - skip + 1u);
  if (from->num_words > skip) memcpy(operands, from->words + skip, (from->num_words - skip) * sizeof *operands);
  *inst = (struct inst){.opcode = from->opcode,
                        .set = set_of(from->ext_inst_type),
                        .type = from->type_id,
                        .result = from->result_id,
                        .operands = operands,
                        .operand_count = from->num_words - skip};
  return SPV_SUCCESS;
}

static struct span word_at(const struct source *source, size_t line, size_t column) {
  uint32_t at = 0;
  for (; line && at < source->size; at++) line -= source->text[at] == '\n';
  uint32_t length = (uint32_t)strcspn(source->text + at, "\n");
  at += column < length ? (uint32_t)column : 0;
  length = (uint32_t)strcspn(source->text + at, " \t\r\n");
  return (struct span){at, length ? length : 1};
}

/* What SPIRV-Tools says, at the line that it names. */
static bool fail_as(struct module *module, spv_diagnostic diagnostic, bool at_text) {
  struct span span = {0};
  if (diagnostic && at_text) span = word_at(module->source, diagnostic->position.line, diagnostic->position.column);
  const struct inst at = {.span = span};
  const char *said = diagnostic && diagnostic->error ? diagnostic->error : "";
  enum { LONGEST = 160 }; /* a word of a binary file may go on to its end */
  size_t length = strcspn(said, "\n"), shown = length > LONGEST ? LONGEST : length;
  module_fail(module, &at, "this is not a SPIR-V module%s%.*s%s", length ? ": " : "", (int)shown, said,
              shown < length ? "..." : "");
  spvDiagnosticDestroy(diagnostic);
  return false;
}

static bool parse_words(struct module *module, spv_context context, const uint32_t *words, size_t count) {
  struct parse p = {.module = module};
  spv_diagnostic diagnostic = NULL;
  if (spvBinaryParse(context, &p, words, count, take_header, take_inst, &diagnostic) != SPV_SUCCESS)
    return fail_as(module, diagnostic, false);
  spvDiagnosticDestroy(diagnostic);
  uint32_t *kept = ARENA_RAW(module->arena, uint32_t, count + 1);
  memcpy(kept, words, count * sizeof *words);
  module->words = kept;
  module->word_count = count;
  module->insts = p.insts.at;
  module->inst_count = (unsigned)p.insts.count;
  module->defs = ARENA_ARRAY(module->arena, const struct inst *, module->bound + 1u);
  module->names = ARENA_ARRAY(module->arena, const char *, module->bound + 1u);
  for (unsigned i = 0; i < module->inst_count; i++)
    if (module->insts[i].result && module->insts[i].result < module->bound)
      module->defs[module->insts[i].result] = &module->insts[i];
  return true;
}

/* ---- names and places ---- */

/* Where an instruction begins on a line, with the name of its result, or nowhere. */
struct beginning {
  struct span span, name;
};

static bool find_beginning(const char *text, uint32_t at, uint32_t end, struct beginning *b) {
  while (at < end && isspace((unsigned char)text[at])) at++;
  *b = (struct beginning){.span = {at, 0}};
  if (at < end && text[at] == '%') {
    uint32_t start = ++at;
    while (at < end && is_word_char(text[at])) at++;
    b->name = (struct span){start, at - start};
    while (at < end && isspace((unsigned char)text[at])) at++;
    if (at == end || text[at] != '=') return false;
    for (at++; at < end && isspace((unsigned char)text[at]);) at++;
  }
  while (end > b->span.at && isspace((unsigned char)text[end - 1])) end--;
  b->span.length = end - b->span.at;
  return end - at > 2 && text[at] == 'O' && text[at + 1] == 'p';
}

static void name_from_text(struct module *module) {
  const char *text = module->source->text;
  struct cursor lines = cursor_at_start(module->source);
  VEC(struct beginning) found = {0};
  struct beginning b;
  for (struct span line; cursor_take_line(&lines, &line);)
    if (find_beginning(text, line.at, line.at + line.length, &b)) *vec_push(module->arena, &found) = b;
  if (found.count != module->inst_count) return;
  struct inst *insts = ARENA_ARRAY(module->arena, struct inst, module->inst_count + 1);
  for (unsigned i = 0; i < module->inst_count; i++) {
    insts[i] = module->insts[i];
    insts[i].span = found.at[i].span;
    if (!insts[i].result) continue;
    module->defs[insts[i].result] = &insts[i];
    module->names[insts[i].result] = arena_strndup(module->arena, text + found.at[i].name.at, found.at[i].name.length);
  }
  module->insts = insts;
}

/* OpName's, where the text gives none of its own. */
static void name_from_debug(struct module *module) {
  ARRAY_EACH (const struct inst, inst, module->insts, module->inst_count) {
    if (inst->opcode != SpvOpName || module->names[inst->operands[0]] || !*module_string(inst, 1)) continue;
    const struct inst *def = module->defs[inst->operands[0]];
    const char *name = module_string(inst, 1), *dot = strrchr(name, '.');
    bool local = dot && dot[1] && def && def->opcode == SpvOpVariable && def->operands[0] == SpvStorageClassWorkgroup;
    module->names[inst->operands[0]] = local ? dot + 1 : name; /* clang: `kernel.variable` */
  }
}

typedef VEC(uint32_t) offset_list;

static struct span line_at(const struct source *source, const offset_list *starts, uint32_t number, uint32_t column) {
  if (!number || number > starts->count) return (struct span){0};
  uint32_t start = starts->at[number - 1];
  const char *line = source->text + start;
  uint32_t length = (uint32_t)strcspn(line, "\n"), skip = column ? column - 1 : (uint32_t)strspn(line, " \t");
  if (skip >= length) skip = 0;
  return (struct span){start + skip, length - skip};
}

/* The text that was compiled, without what it includes; 0: the module does not say. */
static uint32_t main_file(const struct module *module) {
  for (unsigned i = 0; i < module->inst_count; i++)
    if (module->insts[i].opcode == SpvOpSource && module->insts[i].operand_count > 2)
      return module->insts[i].operands[2];
  return 0;
}

/* A function by its name; 0: there is none. */
static uint32_t function_named(const struct module *module, const char *name) {
  for (unsigned i = 0; i < module->inst_count; i++)
    if (module->insts[i].opcode == SpvOpName && !strcmp(module_string(&module->insts[i], 1), name))
      return module->insts[i].operands[0];
  return 0;
}

static uint32_t literal_of(const struct module *module, uint32_t id) {
  const struct inst *constant = id < module->bound ? module->defs[id] : NULL;
  return constant && constant->opcode == SpvOpConstant ? constant->operands[0] : 0;
}

/* Places by OpLine, or by calls of MODULE_LINE, for what a compiler made from the source itself.  drop_lines drops
 * both, when the validator, which counts instructions, has seen them.  Other calls stand for instructions, too. */
static void place_by_lines(struct module *module) {
  offset_list starts = {0};
  *vec_push(module->arena, &starts) = 0;
  for (uint32_t i = 0; i < module->source->size; i++)
    if (module->source->text[i] == '\n') *vec_push(module->arena, &starts) = i + 1;
  struct inst *insts = ARENA_ARRAY(module->arena, struct inst, module->inst_count + 1);
  uint32_t line_function = function_named(module, MODULE_LINE), copy = function_named(module, MODULE_COPY);
  uint32_t wait = function_named(module, MODULE_WAIT), file = main_file(module);
  struct span span = {0};
  for (unsigned i = 0; i < module->inst_count; i++) {
    struct inst *inst = &insts[i];
    *inst = module->insts[i];
    const uint32_t *operands = inst->operands;
    if (inst->opcode == SpvOpNoLine || inst->opcode == SpvOpLabel) span = (struct span){0};
    if (inst->opcode == SpvOpLine && file && operands[0] != file) span = (struct span){0};
    if (inst->opcode == SpvOpLine && (!file || operands[0] == file))
      span = line_at(module->source, &starts, operands[1], operands[2]);
    if (line_function && inst->opcode == SpvOpFunctionCall && operands[0] == line_function && inst->operand_count > 2) {
      span = line_at(module->source, &starts, literal_of(module, operands[1]), literal_of(module, operands[2]));
      inst->opcode = SpvOpNoLine;
    }
    if (copy && inst->opcode == SpvOpFunctionCall && operands[0] == copy) inst->opcode = SpvOpGroupAsyncCopy;
    if (wait && inst->opcode == SpvOpFunctionCall && operands[0] == wait) {
      inst->opcode = SpvOpGroupWaitEvents;
      inst->result = 0;
    }
    inst->span = span;
  }
  module->insts = insts;
}

/* ---- reading ---- */

/* Rules of the validator that the meaning of a module does not depend on, by words of its messages: programs that only
 * tools read break them.  Each is a warning, all others are errors. */
static const char *const formal_rules[] = {"invalid layout section",
                                           "cannot appear in a function declaration",
                                           "capabilit",
                                           "not listed as an interface",
                                           "Coherent decoration",
                                           "storage class",
                                           "requires SPIR-V version",
                                           "initializer are not allowed",
                                           "First block",
                                           "must be an OpConstant"};

/* The first line of a message; where that announces a list ("have not been defined:"), with the list. */
static const char *first_line(struct module *module, const char *message) {
  size_t length = strcspn(message, "\n");
  bool list = length && message[length - 1] == ':' && message[length];
  if (!list) return arena_strndup(module->arena, message, length);
  const char *rest = message + length + 1;
  return arena_printf(module->arena, "%.*s %.*s", (int)length, message, (int)strcspn(rest, "\n"), rest);
}

/* Breaking a formal rule is worth a warning, unless a compiler did. */
static bool validate(struct module *module, spv_context context, const uint32_t *words, size_t count, bool compiled) {
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  spv_validator_options options = spvValidatorOptionsCreate();
  spvValidatorOptionsSetSkipBlockLayout(options, true);
  bool valid = spvValidateWithOptions(context, options, &binary, &diagnostic) == SPV_SUCCESS, formal = false;
  spvValidatorOptionsDestroy(options);
  if (!valid && !diagnostic) module_fail(module, NULL, "this module of SPIR-V is not valid");
  if (!valid && diagnostic) {
    const char *line = first_line(module, diagnostic->error);
    for (size_t i = 0; i < ARRAY_COUNT(formal_rules); i++) formal |= strstr(diagnostic->error, formal_rules[i]) != NULL;
    size_t index = diagnostic->position.index;
    const struct inst *at = index && index <= module->inst_count ? &module->insts[index - 1] : NULL;
    if (formal && !compiled)
      diag_warning(module->diags, module->source, at ? at->span : (struct span){0},
                   "not valid, but read all the same: %s", line);
    else if (!formal)
      module_fail(module, at, "%s: %s",
                  compiled ? "what the compiler makes of this is no valid SPIR-V (-source-options -O2 may help)"
                           : "this module of SPIR-V is not valid",
                  line);
  }
  spvDiagnosticDestroy(diagnostic);
  return !module->failed;
}

/* ---- text ---- */

/* The bits of the integer type of this name, as its definition in the text says; 0: it says none. */
static unsigned bits_of(const char *text, const char *type, size_t length) {
  const char *word = text;
  while ((word = strstr(word, "OpTypeInt"))) {
    const char *name = word;
    while (name > text && name[-1] != '\n') name--;
    while (isspace((unsigned char)*name)) name++;
    word += strlen("OpTypeInt");
    if (!strncmp(name, type, length) && !is_word_char(name[length])) return (unsigned)strtoul(word, NULL, 10);
  }
  return 0;
}

/* Is it what follows the word?  The assembler counts lines otherwise where a string has several. */
static bool follows(const char *text, const char *at, const char *word) {
  size_t length = strlen(word);
  while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
  return (size_t)(at - text) >= length && !strncmp(at - length, word, length);
}

/* What the assembler refuses and nothing depends on: a language of the source that is younger than it, and a negative
 * number for a type without sign, which is the number of the same bits.  The text with that one word as the assembler
 * wants it; NULL: it is something else. */
static const char *reworded(struct module *module, const char *text, spv_diagnostic diagnostic) {
  const char *at = text + word_at(&(struct source){.text = text, .size = strlen(text)}, diagnostic->position.line,
                                  diagnostic->position.column)
                              .at;
  const char *rest = at + strcspn(at, " \t\r\n");
  if (strstr(diagnostic->error, "Invalid source language") && follows(text, at, "OpSource"))
    return arena_printf(module->arena, "%.*sUnknown%s", (int)(at - text), text, rest);
  if (*at != '-' || !strstr(diagnostic->error, "negative number in an unsigned literal")) return NULL;
  const char *type = at;
  while (type > text && *type != '%' && *type != '\n') type--;
  unsigned bits = bits_of(text, type, strcspn(type, " \t"));
  if (!bits || bits > 64) return NULL;
  uint64_t value = (uint64_t)strtoll(at, NULL, 10) & (UINT64_MAX >> (64 - bits));
  return arena_printf(module->arena, "%.*s%" PRIu64 "%s", (int)(at - text), text, value, rest);
}

/* The version that a disassembler's first comments name, in the form of a module's second word; 0: they name none. */
static uint32_t version_said(const char *text) {
  static const char word[] = "; Version: 1.";
  for (; *text == ';'; text += strcspn(text, "\n"), text += *text == '\n')
    if (text_begins(text, word) && isdigit((unsigned char)text[sizeof word - 1]))
      return UINT32_C(0x10000) | (uint32_t)(text[sizeof word - 1] - '0') << 8;
  return 0;
}

static bool assemble(struct module *module, spv_context context) {
  spv_binary binary = NULL;
  const char *text = module->source->text;
  for (bool done = false; !done;) {
    spv_diagnostic diagnostic = NULL;
    const char *next = NULL;
    done = spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) == SPV_SUCCESS;
    if (!done && diagnostic) next = reworded(module, text, diagnostic);
    if (!done && !next) return fail_as(module, diagnostic, true);
    text = next;
    spvDiagnosticDestroy(diagnostic);
  }
  if (!module->version) module->version = version_said(module->source->text);
  if (module->version) binary->code[1] = module->version; /* else the newest */
  bool read = parse_words(module, context, binary->code, binary->wordCount);
  if (read) name_from_text(module);
  if (read) read = validate(module, context, binary->code, binary->wordCount, false);
  spvBinaryDestroy(binary);
  return read;
}

static bool read_words(struct module *module, spv_context context, const char *bytes, size_t size, bool compiled) {
  uint32_t *words = ARENA_ARRAY(module->arena, uint32_t, size / sizeof(uint32_t) + 1);
  memcpy(words, bytes, size / sizeof(uint32_t) * sizeof(uint32_t));
  if (!parse_words(module, context, words, size / sizeof(uint32_t))) return false;
  if (compiled) place_by_lines(module);
  return validate(module, context, words, size / sizeof(uint32_t), compiled);
}

/* Instructions that only say where the code is: they may stand anywhere, even before a block's phis. */
static void drop_lines(struct module *module) {
  struct inst *insts = ARENA_ARRAY(module->arena, struct inst, module->inst_count + 1);
  unsigned count = 0;
  for (unsigned i = 0; i < module->inst_count; i++)
    if (module->insts[i].opcode != SpvOpLine && module->insts[i].opcode != SpvOpNoLine)
      insts[count++] = module->insts[i];
  for (unsigned i = 0; i < count; i++)
    if (insts[i].result && insts[i].result < module->bound) module->defs[insts[i].result] = &insts[i];
  module->insts = insts;
  module->inst_count = count;
}

struct printing {
  struct arena *arena;
  const struct source *source, *result;
  struct diags *diags;
};

static void print_words(void *context) {
  struct printing *p = context;
  struct arena *arena = p->arena;
  const struct source *source = p->source;
  uint32_t *words = ARENA_ARRAY(arena, uint32_t, source->size / sizeof(uint32_t) + 1);
  memcpy(words, source->text, source->size / sizeof(uint32_t) * sizeof(uint32_t));
  spv_context tools = spvContextCreate(environment);
  spv_text text = NULL;
  spv_diagnostic diagnostic = NULL;
  uint32_t how = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  if (spvBinaryToText(tools, words, source->size / sizeof(uint32_t), how, &text, &diagnostic) == SPV_SUCCESS)
    p->result = source_from_text(arena, arena_printf(arena, "%sasm", source->name), text->str, text->length);
  else
    diag_error(p->diags, source, (struct span){0}, "this is not a SPIR-V module");
  spvTextDestroy(text);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(tools);
}

const struct source *module_text(struct arena *arena, const struct source *source, struct diags *diags) {
  struct printing p = {.arena = arena, .source = source, .diags = diags};
  if (!is_words(source)) return source;
  if (!tools_complete(print_words, &p)) guard_out_of_memory();
  return p.result;
}

/* What spirv-dis writes after the number of the set that the function is of. */
struct naming {
  const struct module *module;
  const struct inst *inst;
  const char *name;
};

static void find_name(void *context) {
  struct naming *n = context;
  spv_context tools = spvContextCreate(environment);
  spv_text text = NULL;
  if (spvBinaryToText(tools, n->module->words, n->module->word_count, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &text,
                      NULL) == SPV_SUCCESS) {
    const char *line = strstr(text->str, arena_printf(n->module->arena, "%%%u = OpExtInst ", n->inst->result));
    for (int word = 0; line && word < 5; word++) line = strchr(line + 1, ' ');
    if (line) n->name = arena_strndup(n->module->arena, line + 1, strcspn(line + 1, " \n"));
  }
  spvTextDestroy(text);
  spvContextDestroy(tools);
}

const char *module_function_name(const struct module *module, const struct inst *inst) {
  struct naming n = {module, inst, arena_printf(module->arena, "%u", inst->operands[1])};
  if (!tools_complete(find_name, &n)) guard_out_of_memory();
  return n.name;
}

/* A binary's text in its place, so that messages can quote it; false: what is wrong is found when words are read. */
static bool disassemble(struct module *module) {
  struct diags diags = diags_new(module->arena);
  const struct source *text = module_text(module->arena, module->source, &diags);
  struct source *named = ARENA_NEW(module->arena, struct source);
  uint32_t start[2];
  if (!text) return false;
  memcpy(start, module->source->text, sizeof start);
  module->version = start[0] == SpvMagicNumber ? start[1] : __builtin_bswap32(start[1]);
  *named = *text;
  named->name = module->source->name;
  module->source = named;
  return true;
}

struct reading {
  struct module *module;
  const char *words;
  size_t size;
  bool read;
};

static void read_module(void *context) {
  struct reading *r = context;
  struct module *module = r->module;
  spv_context tools = spvContextCreate(environment);
  if (r->words)
    r->read = read_words(module, tools, r->words, r->size, true);
  else if (is_words(module->source) && !disassemble(module))
    r->read = read_words(module, tools, module->source->text, module->source->size, false);
  else
    r->read = assemble(module, tools);
  spvContextDestroy(tools);
}

bool module_read(struct module *module, const char *words, size_t size) {
  struct reading r = {.module = module, .words = words, .size = size};
  if (!tools_complete(read_module, &r)) guard_out_of_memory();
  if (r.read) drop_lines(module);
  if (r.read) name_from_debug(module);
  return r.read && !module->failed;
}
