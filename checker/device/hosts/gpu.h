/* SPDX-License-Identifier: MIT */
/* The host's side of CUDA and HIP, whose calls differ in their prefix: main.cu
 * and main.hip define API(call), and include the kernel before this. */
#ifdef HAVE_RUNTIME

#define CHECK(call) \
  do { \
    if ((call) != 0) host_fail(#call " failed"); \
  } while (0)

static const char *device_open(void) {
  static API(DeviceProp_t) facts;
  CHECK(API(GetDeviceProperties)(&facts, 0));
  return facts.name;
}

struct mirror {
  void *at[6];
  size_t size[6];
};

/* Device memory for all buffers, made once. */
static struct mirror *device_mirror(const struct buffers *b) {
  static struct mirror m;
  const size_t sizes[6] = {b->cells_size, b->results_size, b->deal_size, b->places_size, b->pad_size, b->params_size};
  for (int i = 0; i < 6 && !m.at[i]; i++) {
    CHECK(API(Malloc)(&m.at[i], sizes[i] + 8));
    m.size[i] = sizes[i];
  }
  return &m;
}

static void device_run(const struct launch *l, const struct buffers *b) {
  struct mirror *m = device_mirror(b);
  void *const host[6] = {b->cells, b->results, b->deal, b->places, b->pad, b->params};
  for (int i = 0; i < 6; i++) CHECK(API(Memcpy)(m->at[i], host[i], m->size[i], API(MemcpyHostToDevice)));
  litmus<<<l->groups + l->stress_groups, test_shape.items>>>(
      (value *)m->at[0], (value *)m->at[1], (const unsigned *)m->at[2], (const unsigned *)m->at[3], (int *)m->at[4],
      (const unsigned *)m->at[5]);
  CHECK(API(DeviceSynchronize)());
  for (int i = 0; i < 2; i++) CHECK(API(Memcpy)(host[i], m->at[i], m->size[i], API(MemcpyDeviceToHost)));
}

#endif
