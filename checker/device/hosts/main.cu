/* SPDX-License-Identifier: MIT */
/* Kernel and host program in one: nvcc -std=c++17 main.cu */
#include "kernel.cu"
#ifdef HAVE_RUNTIME
#include "tables.h"
#include "test.h"
#include "host.h"
#define API(call) cuda##call
#define cudaDeviceProp_t cudaDeviceProp
#include "gpu.h"
#endif
