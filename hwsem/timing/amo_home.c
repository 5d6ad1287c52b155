/* SPDX-License-Identifier: MIT */
/* The homes: requests for a line queue in the order of arrival, and one at a time
 * is served.  A transaction snoops the holders it must, collects their answers and
 * the data, and is READY when the last answer is in: then a line or a result
 * travels to the requester. */
#include "hwsem/timing/amo_timed_state.h"

/* The last answer is in. */
static void conclude(struct amo_machine *m, struct amo_line *line) {
  const struct amo_parameters *p = m->p;
  const struct amo_request *request = amo_served(m, line);
  int source = request->source, home = amo_home(line);
  int64_t back = amo_latency(m, source, line);
  line->wanted--;
  amo_count_hops(m, back, request->type != ATOMIC_UPDATE);
  if (request->type == READ_SHARED || request->type == READ_UNIQUE) {
    amo_post(m, request->data + back, (struct amo_message){EVENT_COMPLETION, source, home, line, (int)request->type});
    return;
  }
  int64_t extra = request->type == ATOMIC_FETCH ? p->ldx : 0;
  int64_t performed = larger(request->data + extra, request->operands) + p->alu + p->wr;
  if (m->limit < 0 || performed <= m->limit) m->result.performed++;
  amo_enter_buffer(m, line);
  amo_perform_far(m, line, source);
  amo_post(m, request->data + back + extra,
           (struct amo_message){EVENT_COMPLETION, source, home, line, (int)request->type});
  amo_end_at(m, line, performed);
}

static uint32_t snoop_targets(const struct amo_line *line, const struct amo_request *request, int owner) {
  switch (request->type) {
    case READ_SHARED:
      return owner >= 0 && owner != request->source ? amo_bit(owner) : 0;
    case READ_UNIQUE:
      return line->holders & ~amo_bit(request->source);
    case ATOMIC_FETCH:
    case ATOMIC_UPDATE:
      break;
  }
  return line->holders; /* the requester's copy too */
}

/* Serves the first request of a line's queue from time `now` on. */
static void start_transaction(struct amo_machine *m, struct amo_line *line, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct amo_request *request = amo_served(m, line);
  int owner = amo_owners(line) ? __builtin_ctz(amo_owners(line)) : -1;
  uint32_t targets = snoop_targets(line, request, owner);
  int64_t looked_up = now + p->dir, source_latency = p->llc;
  if (owner >= 0 || (request->type == READ_UNIQUE && (line->holders & amo_bit(request->source))))
    source_latency = 0;
  else if (line->buffered)
    source_latency = p->buf;
  else if (!amo_hit_llc(m, line))
    source_latency = p->mem;
  if (request->type == READ_UNIQUE)
    amo_unbuffer(m, line);
  else if (line->buffered)
    amo_enter_buffer(m, line);
  request->data = looked_up + source_latency;
  request->exclusive = (line->holders & ~amo_bit(request->source)) == 0;
  request->operands = (p->early ? request->arrival : now) + p->dir + 2 * amo_latency(m, request->source, line);
  request->answers = 0;
  for (; targets; targets &= targets - 1) {
    int node = __builtin_ctz(targets);
    int64_t there = amo_latency(m, node, line);
    request->answers++;
    m->cores[node].snoops++;
    amo_count_hops(m, there, false);
    amo_post(m, looked_up + there, (struct amo_message){EVENT_SNOOP, node, amo_home(line), line, NOTE_NONE});
  }
  if (request->answers == 0) conclude(m, line);
}

void amo_on_request(struct amo_machine *m, struct amo_line *line, const struct event_node *event) {
  amo_request_number number = m->free_requests, last = line->queue;
  struct amo_request *request = &m->requests[number];
  m->free_requests = request->next;
  request->type = (enum amo_request_type)event->note;
  request->source = amo_source(event);
  request->arrival = m->events.now;
  request->next = last ? m->requests[last].next : number;
  if (last) m->requests[last].next = number;
  line->queue = number & 0xFFFu;
  if (last) return;
  if (line->free_at <= m->events.now) {
    start_transaction(m, line, m->events.now);
    return;
  }
  m->result.events--; /* was counted */
  amo_post_free(m, line, line->free_at);
}

void amo_on_home_event(struct amo_machine *m, struct amo_line *line, const struct event_node *event) {
  if (event->note == NOTE_FREE) {
    start_transaction(m, line, m->events.now);
    return;
  }
  struct amo_request *request = amo_served(m, line);
  request->data = larger(request->data, m->events.now);
  if (--request->answers == 0) conclude(m, line);
}
