/* SPDX-License-Identifier: MIT */
/* Prices as JSON (json.h): tests by mappings, runs of ADSM tests. */
#ifndef LITSCOPE_REPORT_JSON_COST_H
#define LITSCOPE_REPORT_JSON_COST_H

#include <stdio.h>

#include "checker/litmus/litmus.h"
#include "hwsem/prices/adsm_prices.h"

/* The price of a whole test. */
struct test_price {
  const char *threads; /* "P0=36 P1=28..61", or why there is no price */
  unsigned instructions;
  int64_t cycles; /* of the most expensive path of the slowest thread; -1: no price */
};

/* What a mapping costs on a test, next to the answer of `verify`; one run of an
 * ADSM test: each an object on a line. */
void json_write_test_price(FILE *out, const struct litmus_test *test, const char *mapping, const char *answer,
                           const struct test_price *price);
void json_write_adsm_run(FILE *out, const struct litmus_test *test, const char *machine, const struct adsm_run *run);

#endif
