/* SPDX-License-Identifier: MIT */
/* Blocks of memory operations as JSON. */
#include "checker/report/legalizer_blocks_json.h"

#include "checker/base/array.h"

void json_write_block(FILE *out, const char *file, const char *gpu, const char *model, const struct block *block) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "file", file);
  json_put_string(&j, "block", block->function->name);
  json_put_string(&j, "target", gpu);
  json_put_string(&j, "model", model);
  json_put_string(&j, "answer", block_answer_name(block->answer));
  json_put_unsigned(&j, "contexts", block->contexts);
  if (block->reason) json_put_string(&j, "reason", block->reason);
  if (block->context) json_put_string(&j, "context", block->context);
  if (block->trace) json_put_string(&j, "trace", block->trace);
  json_open_array(&j, "instructions");
  ARRAY_EACH (const struct block_element, element, block->elements, block->element_count) {
    json_begin_object(&j);
    json_put_string(&j, "instruction", element->kind);
    json_put_unsigned(&j, "index", element->instr);
    json_put_bool(&j, "before", element->before);
    json_put_bool(&j, "argument", element->argument);
    json_put_string(&j, "need", block_need_name(element->need));
    json_put_string(&j, "context", element->context);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_put_bool(&j, "together", block->together);
  json_end_line(&j);
}
