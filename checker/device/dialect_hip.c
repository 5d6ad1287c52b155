/* SPDX-License-Identifier: MIT */
/* HIP, by the macros of hosts/scoped.h. */
#include "checker/device/dialect_scoped.h"

const struct dialect dialect_hip = {
    .name = "hip",
    .value = {"int", "long long"},
    .index = "unsigned",
    .opaque = "volatile unsigned",
    .truth = "",
    .group = "GROUP",
    .item = "ITEM",
    .prelude = scoped_prelude,
    .epilogue = scoped_epilogue,
    .load = scoped_load,
    .store = scoped_store,
    .rmw = scoped_rmw,
    .swap = scoped_swap,
    .fence = scoped_fence,
    .barrier = scoped_barrier,
    .join = "JOIN();",
    .mixed = true,
};
