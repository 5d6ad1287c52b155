/* SPDX-License-Identifier: MIT */
/* Steps and states of FEAR's mutex protocol in words, for traces. */
#include "hwsem/machines/fear_state.h"

static const char address_names[] = "xyzw";

/* How an operation that may just have been performed ended. */
static void print_performed(const struct fear_protocol *t, const struct fear_state *before,
                            const struct fear_state *after, int i, FILE *out) {
  const struct fear_requester *r = &after->requesters[i];
  if (r->op == before->requesters[i].op) return;
  unsigned old = r->olds[r->op - 1];
  fprintf(out, "; performs %c: %u -> %u", address_names[t->program.address[i][r->op - 1]], old, old + 1);
}

static void print_receive(const struct fear_protocol *t, const struct fear_state *before,
                          const struct fear_state *after, int i, FILE *out) {
  const struct fear_requester *r = &after->requesters[i];
  unsigned grant = before->requesters[i].grant;
  fprintf(out, "P%d: receives the grant (%s%s)", i, grant & GRANT_MATURE ? "mature" : "not mature",
          grant & GRANT_SAME ? ", owner as before" : "");
  if (r->control == WAIT_FETCH) fprintf(out, "; fetches %c", address_names[fear_address_of(t, before, i)]);
  if (r->control == WAIT_ANSWER) fputs("; waits for its speculative answer", out);
  print_performed(t, before, after, i, out);
}

/* Which ring or mutex, where there are several. */
static void print_ring(const struct fear_protocol *t, unsigned ring, FILE *out) {
  if (t->rules.rings > 1) fprintf(out, "ring %u, ", ring);
}

static void print_member(const struct fear_protocol *t, unsigned mutex, int at, FILE *out) {
  print_ring(t, fear_ring_of(t, mutex), out);
  fprintf(out, "member %d: ", at);
}

static void print_mutex(const struct fear_protocol *t, unsigned mutex, FILE *out) {
  if (t->rules.mutexes > 1)
    fprintf(out, "mutex %u", mutex);
  else
    fputs("the mutex", out);
}

static void print_update(const struct fear_protocol *t, unsigned update, FILE *out) {
  unsigned from = update >> 12 & 7, at = update >> 8 & 7;
  const char *what = update >> 7 & 1 ? "released" : "acquired";
  print_member(t, fear_update_mutex(update), (int)at, out);
  if (at == from)
    fprintf(out, "its update '%s' is back", what);
  else
    fprintf(out, "takes the update '%s' of member %u", what, from);
  if (t->rules.mutexes > 1) fprintf(out, ", mutex %u", fear_update_mutex(update));
}

void fear_print_step(const struct machine *m, struct step step, const void *before_bytes, const void *after_bytes,
                     FILE *out) {
  const struct fear_protocol *t = m->self;
  struct fear_state before, after;
  fear_unpack(t, before_bytes, &before);
  fear_unpack(t, after_bytes, &after);
  int i = step.agent;
  unsigned value = step.detail;
  switch ((enum fear_transition)step.code) {
    case ISSUE:
      fprintf(out, "P%d: issues its operation on %c", i, address_names[fear_address_of(t, &before, i)]);
      break;
    case REQUEST_ARRIVES:
      fprintf(out, "P%d: its request reaches member %d", i, i % t->rules.K);
      break;
    case SPEC_AT_L2: {
      unsigned address = fear_spec_value((uint8_t)value);
      fprintf(out, "P%d: its speculative read finds %c = %u", i, address_names[address], before.l2[address]);
      break;
    }
    case SPEC_ARRIVES:
      fprintf(out, "P%d: its speculative answer %u arrives", i, fear_spec_value((uint8_t)value));
      print_performed(t, &before, &after, i, out);
      break;
    case GRANT:
      print_member(t, value >> 8, i, out);
      fputs("grants ", out);
      print_mutex(t, value >> 8, out);
      fprintf(out, " to P%u", value & 0xff);
      break;
    case RECEIVE:
      print_receive(t, &before, &after, i, out);
      break;
    case FETCH_AT_L2: {
      unsigned address = fear_address_of(t, &before, i);
      fprintf(out, "P%d: its fetch reads %c = %u", i, address_names[address], before.l2[address]);
      break;
    }
    case FETCH_ARRIVES:
      fprintf(out, "P%d: the fetched %u arrives", i, value);
      print_performed(t, &before, &after, i, out);
      break;
    case WRITE_BACK:
      fprintf(out, "P%d: its write-back %c = %u reaches the L2", i, address_names[value >> 8 & 7], value & 0xff);
      break;
    case RELEASE_ARRIVES:
      print_member(t, value >> 8, i, out);
      fputs("a release arrives", out);
      if (t->rules.mutexes > 1) fprintf(out, ", mutex %u", value >> 8);
      break;
    case RELEASE:
      print_member(t, value >> 8, i, out);
      fputs("releases ", out);
      print_mutex(t, value >> 8, out);
      break;
    case UPDATE:
      print_update(t, value, out);
      break;
    case ROTATE:
      print_ring(t, value, out);
      fprintf(out, "the stick passes to member %d", i);
      break;
    case TICK:
      fputs("an epoch ends", out);
      break;
    case TICK_REQUESTERS:
      fputs("requesters see an epoch end", out);
      break;
    case TICK_MEMBERS:
      fputs("members see an epoch end", out);
      break;
  }
}

void fear_print_state(const struct machine *m, const void *bytes, FILE *out) {
  static const char *const words[] = {"idle", "waits for the grant", "waits for an answer", "waits for a fetch"};
  const struct fear_protocol *t = m->self;
  struct fear_state s;
  fear_unpack(t, bytes, &s);
  for (int i = 0; i < t->program.requesters; i++)
    fprintf(out, "P%d: %u done, %s\n", i, s.requesters[i].op, words[s.requesters[i].control]);
  for (int mutex = 0; mutex < t->rules.mutexes; mutex++)
    for (int at = 0; at < t->rules.K; at++) {
      const struct fear_member *member = &s.members[mutex][at];
      print_member(t, (unsigned)mutex, at, out);
      if (t->rules.mutexes > 1) fprintf(out, "mutex %d ", mutex);
      fprintf(out, "%s, %u queued\n", member->available ? "free" : "taken", member->queued);
    }
  for (int a = 0; a < t->program.addresses; a++) fprintf(out, "%c = %u\n", address_names[a], s.l2[a]);
}
