/* SPDX-License-Identifier: MIT */
/* Needs of a test next to what a device says of itself.
 *
 * All-devices scope is not asked for: a test runs on one device, all of whose
 * work-items device scope includes, so where there is no wider scope that one
 * does as well. */
#include "checker/device/fits_device.h"

#include <inttypes.h>

static const char *order_text(unsigned order) {
  return kernel_order((enum order)order);
}

static const char *scope_text(unsigned scope) {
  static const char *const words[] = {
      [SCOPE_WI] = "work_item",    [SCOPE_SG] = "sub_group", [SCOPE_WG] = "work_group",
      [SCOPE_QF] = "queue_family", [SCOPE_DEV] = "device",   [SCOPE_SYS] = "all_svm_devices"};
  return words[scope];
}

static const char *join(struct arena *arena, uint32_t set, unsigned first, unsigned last,
                        const char *(*text)(unsigned member)) {
  const char *all = "";
  for (unsigned i = first; i <= last; i++)
    if (set >> i & 1) all = arena_printf(arena, "%s%s%s", all, *all ? " " : "", text(i));
  return *all ? all : "none";
}

const char *fit_orders(struct arena *arena, uint32_t orders) {
  return join(arena, orders & ~(1u << ORDER_CON), ORDER_RLX, ORDER_SC, order_text);
}

const char *fit_scopes(struct arena *arena, uint32_t scopes) {
  return join(arena, scopes, SCOPE_WI, SCOPE_SYS, scope_text);
}

/* Scopes that the test names; C tests, which name none, run at device scope. */
static uint32_t wanted_scopes(uint32_t scopes) {
  uint32_t none = 1u << SCOPE_NONE, system = 1u << SCOPE_SYS;
  return scopes & (none | system) ? (scopes & ~(none | system)) | 1u << SCOPE_DEV : scopes;
}

static void check_sets(const struct layout *layout, const char *name, const struct device_facts *f,
                       struct diags *diags) {
  uint32_t orders = layout->orders & ~f->orders & ~(1u << ORDER_NA);
  uint32_t scopes = wanted_scopes(layout->scopes) & ~f->scopes;
  uint32_t fence_orders = layout->fence_orders & ~f->fence_orders & ~(1u << ORDER_NA);
  uint32_t fence_scopes = wanted_scopes(layout->fence_scopes) & ~f->fence_scopes;
  if (orders)
    diag_fail(diags, "%s needs atomic operations that '%s' does not offer: order %s", name, f->name,
              fit_orders(diags->arena, orders));
  if (scopes)
    diag_fail(diags, "%s needs atomic operations that '%s' does not offer: scope %s", name, f->name,
              fit_scopes(diags->arena, scopes));
  if (fence_orders)
    diag_fail(diags, "%s needs fences that '%s' does not offer: order %s", name, f->name,
              fit_orders(diags->arena, fence_orders));
  if (fence_scopes)
    diag_fail(diags, "%s needs fences that '%s' does not offer: scope %s", name, f->name,
              fit_scopes(diags->arena, fence_scopes));
  if (layout->wide && !f->wide)
    diag_fail(diags, "%s has 64-bit values, but '%s' has no 64-bit atomic operations", name, f->name);
}

static void check_memory(const struct fitted *fitted, const char *name, const struct device_facts *f,
                         uint64_t local_bytes, struct diags *diags) {
  const struct table_shape *shape = &fitted->shape;
  uint64_t cells = (uint64_t)tables_cells_size(shape, &fitted->launch) * shape->wide;
  uint64_t out = (uint64_t)tables_instances(shape, &fitted->launch) * shape->results * shape->wide;
  uint64_t largest = cells > out ? cells : out;
  if (shape->items > f->group_items)
    diag_fail(diags, "%s needs work-groups of %u work-items, but those of '%s' have at most %u", name, shape->items,
              f->name, f->group_items);
  if (local_bytes > f->local_bytes)
    diag_fail(diags, "%s needs %" PRIu64 " bytes of local memory, but '%s' has %" PRIu64, name, local_bytes, f->name,
              f->local_bytes);
  if (tables_cells_size(shape, &fitted->launch) > UINT32_MAX)
    diag_fail(diags, "%s needs more cells than kernels can number; fewer instances (-n) or a smaller stride need less",
              name);
  else if (largest > f->allocation_bytes)
    diag_fail(diags,
              "%s needs a buffer of %" PRIu64 " MiB, but '%s' allows %" PRIu64 "; fewer instances (-n) need less", name,
              largest >> 20, f->name, f->allocation_bytes >> 20);
}

static void choose_options(const struct layout *layout, const char *name, const struct device_facts *f,
                           const struct settings *settings, struct kernel_options *options) {
  *options = (struct kernel_options){.name = name, .lanes = settings->lanes};
  if (!options->lanes) options->lanes = f->is_cpu ? 1 : kernel_lanes(layout, f->group_items);
  if (layout->clustered && f->sub_groups && f->sub_group > 1) options->cluster = f->sub_group;
  options->narrow = !(f->scopes >> SCOPE_SYS & 1);
  options->narrow_fences = !(f->fence_scopes >> SCOPE_SYS & 1);
}

/* How many work-groups a processor stresses with.  It runs as many work-groups
 * at once as it has cores, and takes its share of a launch in order: with more,
 * two testing groups would run one after the other.  So those that test leave
 * room where that is possible, and those that stress take what is left. */
static uint32_t stress_room(const struct device_facts *f, const struct settings *settings, uint32_t parts,
                            uint32_t *groups) {
  uint32_t wanted = settings->stress_groups;
  if (!settings->groups && wanted && f->units > parts) {
    uint32_t left = f->units > wanted + parts ? f->units - wanted : parts;
    *groups = left / parts * parts;
  }
  uint32_t room = f->units > *groups ? f->units - *groups : 0;
  return wanted < room ? wanted : room;
}

/* There is nothing to wait for where groups cannot all run at once. */
static uint32_t choose_gather(const struct device_facts *f, const struct settings *settings, uint32_t groups) {
  if (settings->gather) return settings->gather;
  if (!f->is_cpu) return 4096;
  return groups > f->units ? 1 : 1u << 20;
}

static void choose_launch(const struct layout *layout, const struct device_facts *f, const struct settings *settings,
                          uint32_t instances, struct fitted *fitted) {
  uint32_t parts = layout->part_count, units = f->is_cpu ? f->units : 2 * f->units;
  uint32_t groups = settings->groups ? settings->groups : units;
  groups = groups / parts * parts;
  if (!groups) groups = parts;
  if (groups > 65535) groups = 65535 / parts * parts;
  uint32_t stress = settings->stress_groups;
  if (f->is_cpu) stress = stress_room(f, settings, parts, &groups);
  fitted->partly = parts > f->units;
  fitted->launch = (struct launch){.instances = instances,
                                   .groups = groups,
                                   .stride = settings->stride,
                                   .spins = settings->spins,
                                   .gather = choose_gather(f, settings, groups),
                                   .shuffle = settings->shuffle,
                                   .pre = settings->pre_stress,
                                   .stress_groups = stress,
                                   .rounds = settings->stress_rounds,
                                   .lines = settings->stress_lines,
                                   .line = settings->stress_stride,
                                   .pattern = settings->stress_pattern};
}

bool fit(const struct layout *layout, const char *name, const struct device_use *use, struct fitted *fitted,
         struct diags *diags) {
  const struct device_facts *facts = use->facts;
  size_t before = diags->errors;
  if (!facts->usable)
    return diag_fail(diags, "'%s' offers no atomic operations with orders: it is '%s'", facts->name, facts->version);
  choose_options(layout, name, facts, use->settings, &fitted->options);
  choose_launch(layout, facts, use->settings, use->instances, fitted);
  fitted->shape = (struct table_shape){.parts = layout->part_count,
                                       .items = kernel_items(layout, &fitted->options),
                                       .lanes = fitted->options.lanes,
                                       .cells = layout->cell_count,
                                       .results = layout->result_count + layout->local_count,
                                       .wide = layout->wide ? 8 : 4,
                                       .turns = !fitted->options.cluster};
  check_sets(layout, name, facts, diags);
  uint64_t local_bytes = (uint64_t)layout->local_count * fitted->options.lanes * fitted->shape.wide;
  check_memory(fitted, name, facts, local_bytes, diags);
  return diags->errors == before;
}

const char *fit_needs(struct arena *arena, const struct layout *layout) {
  const char *text = "";
  if (layout->orders & ~1u)
    text = arena_printf(arena, "atomic operations %s at %s; ", fit_orders(arena, layout->orders),
                        fit_scopes(arena, wanted_scopes(layout->scopes)));
  if (layout->fence_orders & ~1u)
    text = arena_printf(arena, "%sfences %s at %s; ", text, fit_orders(arena, layout->fence_orders),
                        fit_scopes(arena, wanted_scopes(layout->fence_scopes)));
  if (layout->local_count) text = arena_printf(arena, "%s%u local cells; ", text, layout->local_count);
  if (layout->wide) text = arena_printf(arena, "%s64-bit values; ", text);
  return arena_printf(arena, "%s%u work-group%s of up to %u work-item%s", text, layout->part_count,
                      layout->part_count == 1 ? "" : "s", layout->members, layout->members == 1 ? "" : "s");
}
