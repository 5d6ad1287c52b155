/* SPDX-License-Identifier: MIT */
#ifndef LITSCOPE_TESTS_GENERATE_H
#define LITSCOPE_TESTS_GENERATE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the random PTX or Vulkan test of a seed: see generate.c. */
void generate_gpu(FILE *out, bool vulkan, unsigned seed);

#endif
