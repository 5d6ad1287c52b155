/* SPDX-License-Identifier: MIT */
/* Settings by their table. */
#include "checker/device/stress_settings.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

struct knob {
  const char *name;
  size_t offset;
  uint32_t initial, low, high;
  const char *help;
};

static const struct knob knobs[] = {
#define SETTING_KNOB(member, name, initial, low, high, help) \
  {name, offsetof(struct settings, member), initial, low, high, help},
    SETTING_LIST(SETTING_KNOB)
#undef SETTING_KNOB
};
enum { KNOBS = ARRAY_COUNT(knobs) };

static uint32_t *member(struct settings *settings, const struct knob *knob) {
  return (uint32_t *)(void *)((char *)settings + knob->offset);
}

static uint32_t value_of(const struct settings *settings, const struct knob *knob) {
  uint32_t value;
  memcpy(&value, (const char *)settings + knob->offset, sizeof value);
  return value;
}

struct settings settings_new(void) {
  struct settings settings = {0};
  for (int i = 0; i < KNOBS; i++) *member(&settings, &knobs[i]) = knobs[i].initial;
  return settings;
}

void settings_stress(struct settings *settings, const char *level) {
  bool light = !strcmp(level, "light"), heavy = !strcmp(level, "heavy");
  settings->pre_stress = light ? 4 : heavy ? 32 : 0;
  settings->stress_groups = light ? 1 : heavy ? 4 : 0;
}

static const struct knob *find(const char *name) {
  return FIND_ROW(knobs, KNOBS, name, name);
}

static const char *hint(struct arena *arena, const char *name) {
  return suggest_hint(arena, suggest(name, ROW_TEXTS(arena, knobs, KNOBS, name)));
}

/* One NAME=VALUE. */
static void read_one(struct settings *settings, const struct source *source, size_t at, size_t length,
                     struct diags *diags) {
  struct span span = {(uint32_t)at, (uint32_t)length};
  const char *text = arena_strndup(diags->arena, source->text + at, length);
  const char *equals = strchr(text, '=');
  if (!equals) {
    diag_error(diags, source, span, "expected NAME=VALUE, found '%s'", text);
    return;
  }
  size_t size = (size_t)(equals - text);
  while (size && strchr(" \t", text[size - 1])) size--;
  const char *name = arena_strndup(diags->arena, text, size);
  const struct knob *knob = find(name);
  if (!knob) {
    diag_error(diags, source, span, "unknown setting '%s' of device runs%s", name, hint(diags->arena, name));
    return;
  }
  int64_t value;
  const char *number = equals + 1 + strspn(equals + 1, " \t");
  if (!text_is_number(number, knob->low, knob->high, &value))
    diag_error(diags, source, span, "setting '%s' must be a number from %u to %u, not '%s'", name, knob->low,
               knob->high, number);
  else
    *member(settings, knob) = (uint32_t)value;
}

bool settings_read(struct settings *settings, const struct source *source, struct diags *diags) {
  size_t before = diags->errors;
  for (size_t at = 0; at < source->size;) {
    if (source->text[at] == '#') {
      while (at < source->size && source->text[at] != '\n') at++;
    } else if (strchr(", \t\r\n", source->text[at])) { /* also a NUL byte */
      at++;
    } else {
      size_t end = at;
      while (end < source->size && !strchr(",\r\n#", source->text[end])) end++;
      size_t next = end;
      while (strchr(" \t", source->text[end - 1])) end--;
      read_one(settings, source, at, end - at, diags);
      at = next;
    }
  }
  return diags->errors == before;
}

void settings_write(const struct settings *settings, const char *separator, FILE *out) {
  for (int i = 0; i < KNOBS; i++)
    fprintf(out, "%s%s=%u", i ? separator : "", knobs[i].name, value_of(settings, &knobs[i]));
}

void settings_describe(FILE *out) {
  for (int i = 0; i < KNOBS; i++) fprintf(out, "  %-16s %6u  %s\n", knobs[i].name, knobs[i].initial, knobs[i].help);
}
