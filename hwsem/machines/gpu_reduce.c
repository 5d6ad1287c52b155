#include "machines/gpu_state.h"
void gpu_find_symmetry(struct arena *arena, struct gpu *g, struct machine *machine) {
  (void)arena;
  (void)g;
  (void)machine;
}
bool gpu_ample(const struct machine *m, const void *state, struct successor_sink *sink) {
  return gpu_successors(m, state, sink);
}
void gpu_canonical(const struct machine *m, void *state) {
  (void)m;
  (void)state;
}
