/* SPDX-License-Identifier: MIT */
/* A state is an array of bytes: of each node its buffers, outbox, queue and tables,
 * then the requesters, the busy wires, and whether a mutex was ever held twice.
 * A message is two bytes; no message is zero. */
#include "hwsem/machines/fear_net.h"

#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/machines/packer.h"

enum kind { REQUEST, GRANT, RELEASE, ACQUIRED, RELEASED }; /* the last two: updates */
enum input { LOCAL, WEST, EAST, NORTH, SOUTH, INPUTS };    /* where a router's messages come from */
/* Who sends: a requester that asks, one that gives back, a member (a grant and an update). */
enum sender { ASKS, GIVES, ANSWERS, SENDERS };
enum { CLASSES = 2, OUTBOX = 2, MUTEXES = FEAR_ADDRESSES };
enum control { IDLE, WAITING, HOLDING };

/* kind, its node (who asked, or where an update began), mutex, and where it goes. */
typedef uint16_t message;

struct node {
  message buffers[INPUTS][CLASSES][FEAR_NET_BUFFER];
  message outbox[SENDERS][OUTBOX];
  uint8_t queue[FEAR_NET_QUEUE]; /* 1 + requesting node * MUTEXES + mutex */
  uint8_t taken, released;       /* sets of mutexes: in the table; releases that have come */
};

struct requester {
  uint8_t op, control;
};

struct state {
  struct node nodes[FEAR_NET_NODES];
  struct requester requesters[FEAR_REQUESTERS];
  uint8_t busy; /* set of mutexes whose update travels */
  uint8_t twice;
};

struct network {
  struct fear_program program;
  struct fear_net_options o;
  int nodes, rings;
};

static message message_of(enum kind kind, int from, int mutex, int to) {
  return (message)(0x8000 | (int)kind << 12 | from << 8 | mutex << 4 | to);
}
static enum kind kind_of(message m) {
  return (enum kind)(m >> 12 & 7);
}
static int from_of(message m) {
  return m >> 8 & 15;
}
static int mutex_of(message m) {
  return m >> 4 & 15;
}
static int to_of(message m) {
  return m & 15;
}

static int class_of(const struct network *n, message m) {
  return n->o.classes == 1 || kind_of(m) == REQUEST ? 0 : 1;
}

static int node_of(const struct network *n, int requester) {
  return n->nodes - 1 - requester;
}
static int requester_at(const struct network *n, int node) {
  return n->nodes - 1 - node;
}

/* ---- places ---- */

static int gap(int a, int b) {
  return a > b ? a - b : b - a;
}

static int hops(const struct network *n, int a, int b) {
  return gap(a % n->o.width, b % n->o.width) + gap(a / n->o.width, b / n->o.width);
}

/* The member of a mutex's ring that is nearest to a node; the first of several. */
static int member_near(const struct network *n, int mutex, int node) {
  int first = mutex % n->rings * n->o.K, best = first;
  for (int at = first + 1; at < first + n->o.K; at++)
    if (hops(n, node, at) < hops(n, node, best)) best = at;
  return best;
}

static int next_member(const struct network *n, int node) {
  int first = node / n->o.K * n->o.K;
  return first + (node - first + 1) % n->o.K;
}

/* The next node on the way, along x and then y, and by which input it is entered. */
static int next_node(const struct network *n, int at, int to, enum input *input) {
  int width = n->o.width, x = at % width, tx = to % width;
  if (x != tx) {
    *input = tx > x ? WEST : EAST;
    return tx > x ? at + 1 : at - 1;
  }
  *input = to > at ? NORTH : SOUTH;
  return to > at ? at + width : at - width;
}

/* ---- lists that end in zeros ---- */

static int length_of(const message *list, int room) {
  int count = 0;
  while (count < room && list[count]) count++;
  return count;
}

static void drop_first(message *list, int room) {
  memmove(list, list + 1, (size_t)(room - 1) * sizeof *list);
  list[room - 1] = 0;
}

static bool has_room(const struct network *n, const message *buffer) {
  return length_of(buffer, n->o.buffer) < n->o.buffer;
}

static void append(message *list, int room, message m) {
  assert(length_of(list, room) < room);
  list[length_of(list, room)] = m;
}

/* ---- members ---- */

static bool may_change(const struct network *n, const struct state *s, int node, int mutex) {
  bool clear = n->o.K == 1 || !n->o.busy || !(s->busy >> mutex & 1);
  return clear && !s->nodes[node].outbox[ANSWERS][0];
}

static void tell(const struct network *n, struct state *s, int node, enum kind kind, int mutex) {
  if (n->o.K == 1) return;
  s->busy |= (uint8_t)(1 << mutex);
  append(s->nodes[node].outbox[ANSWERS], OUTBOX, message_of(kind, node, mutex, next_member(n, node)));
}

static bool may_grant(const struct network *n, const struct state *s, int node, int mutex) {
  return may_change(n, s, node, mutex) && !(s->nodes[node].taken >> mutex & 1);
}

static void grant(const struct network *n, struct state *s, int node, int mutex, int to) {
  s->nodes[node].taken |= (uint8_t)(1 << mutex);
  append(s->nodes[node].outbox[ANSWERS], OUTBOX, message_of(GRANT, to, mutex, to));
  tell(n, s, node, ACQUIRED, mutex);
}

static void release(const struct network *n, struct state *s, int node, int mutex) {
  s->nodes[node].taken &= (uint8_t) ~(1 << mutex);
  s->nodes[node].released &= (uint8_t) ~(1 << mutex);
  tell(n, s, node, RELEASED, mutex);
}

static int queued(const struct network *n, const struct node *node) {
  int count = 0;
  while (count < n->o.queue && node->queue[count]) count++;
  return count;
}

/* ---- messages that have arrived ---- */

/* Takes a message at its destination; false: it must stay. */
static bool take(const struct network *n, struct state *s, int at, message *m) {
  struct node *node = &s->nodes[at];
  int mutex = mutex_of(*m), waiting = queued(n, node);
  switch (kind_of(*m)) {
    case REQUEST:
      if (waiting == n->o.queue) {
        if (!may_grant(n, s, at, mutex)) return false;
        grant(n, s, at, mutex, from_of(*m));
      } else {
        node->queue[waiting] = (uint8_t)(1 + from_of(*m) * MUTEXES + mutex);
      }
      break;
    case GRANT: {
      struct requester *r = &s->requesters[requester_at(n, at)];
      r->control = HOLDING;
      for (int i = 0; i < n->program.requesters; i++) {
        const struct requester *other = &s->requesters[i];
        if (other != r && other->control == HOLDING && n->program.address[i][other->op] == mutex) s->twice = 1;
      }
      break;
    }
    case RELEASE:
      node->released |= (uint8_t)(1 << mutex);
      break;
    case ACQUIRED:
    case RELEASED:
      if (from_of(*m) == at) {
        s->busy &= (uint8_t) ~(1 << mutex);
        break;
      }
      node->taken = (uint8_t)((node->taken & ~(1 << mutex)) | (kind_of(*m) == ACQUIRED ? 1 << mutex : 0));
      *m = message_of(kind_of(*m), from_of(*m), mutex, next_member(n, at));
      return true;
  }
  *m = 0;
  return true;
}

/* The head of a buffer moves, or is taken; false: it cannot. */
static bool advance(const struct network *n, struct state *s, int at, int input, int class) {
  message *buffer = s->nodes[at].buffers[input][class], m = buffer[0];
  if (to_of(m) == at) {
    if (!take(n, s, at, &buffer[0])) return false;
    if (!buffer[0]) drop_first(buffer, n->o.buffer);
    return true;
  }
  enum input entered;
  int next = next_node(n, at, to_of(m), &entered);
  message *room = s->nodes[next].buffers[entered][class];
  if (!has_room(n, room)) return false;
  append(room, n->o.buffer, m);
  drop_first(buffer, n->o.buffer);
  return true;
}

/* What a node has to send enters the network. */
static bool inject(const struct network *n, struct state *s, int at, unsigned sender) {
  message *outbox = s->nodes[at].outbox[sender], m = outbox[0];
  message *buffer = s->nodes[at].buffers[LOCAL][class_of(n, m)];
  if (!m || !has_room(n, buffer)) return false;
  append(buffer, n->o.buffer, m);
  drop_first(outbox, OUTBOX);
  return true;
}

/* ---- what holds of every state ---- */

/* How many messages of a list are a requester's request or grant, or an update of a mutex. */
static int count_of(const message *list, int room, int requesting, int mutex) {
  int count = 0;
  for (int i = 0; i < room && list[i]; i++) {
    bool update = kind_of(list[i]) == ACQUIRED || kind_of(list[i]) == RELEASED;
    bool asked = kind_of(list[i]) == REQUEST || kind_of(list[i]) == GRANT;
    count += update ? mutex_of(list[i]) == mutex : asked && from_of(list[i]) == requesting;
  }
  return count;
}

/* The same in the whole network; -1 for no requester, or no mutex. */
static int count_all(const struct network *n, const struct state *s, int requesting, int mutex) {
  int count = 0;
  ARRAY_EACH (const struct node, node, s->nodes, n->nodes) {
    for (int input = 0; input < INPUTS; input++)
      for (int class = 0; class < CLASSES; class ++)
        count += count_of(node->buffers[input][class], n->o.buffer, requesting, mutex);
    for (int sender = 0; sender < SENDERS; sender++) count += count_of(node->outbox[sender], OUTBOX, requesting, mutex);
    for (int i = 0; i < n->o.queue && node->queue[i]; i++) count += (node->queue[i] - 1) / MUTEXES == requesting;
  }
  return count;
}

/* A requester that waits has one request, on its way or in a queue, or one grant on its way; a
 * mutex's busy wire is set while its update travels. */
__attribute__((unused)) static bool is_sound(const struct network *n, const struct state *s) {
  for (int i = 0; i < n->program.requesters; i++) {
    const struct requester *r = &s->requesters[i];
    if (r->op > n->program.ops[i] || (r->control != IDLE && r->op == n->program.ops[i])) return false;
    if (count_all(n, s, node_of(n, i), -1) != (r->control == WAITING)) return false;
  }
  for (int mutex = 0; n->o.K > 1 && n->o.busy && mutex < n->program.addresses; mutex++)
    if (count_all(n, s, -1, mutex) != (s->busy >> mutex & 1)) return false;
  return true;
}

/* ---- transitions ---- */

enum transition { ISSUE, RELEASE_IT, INJECT, ADVANCE, GRANT_QUEUED, RELEASE_TABLE };

/* A requester asks, or gives back: its outbox must be free. */
static bool ask(const struct network *n, struct state *s, int i) {
  struct requester *r = &s->requesters[i];
  int at = node_of(n, i);
  if (r->control != IDLE || r->op == n->program.ops[i] || s->nodes[at].outbox[ASKS][0]) return false;
  int mutex = n->program.address[i][r->op];
  append(s->nodes[at].outbox[ASKS], OUTBOX, message_of(REQUEST, at, mutex, member_near(n, mutex, at)));
  r->control = WAITING;
  return true;
}

static bool give_back(const struct network *n, struct state *s, int i) {
  struct requester *r = &s->requesters[i];
  int at = node_of(n, i);
  if (r->control != HOLDING || s->nodes[at].outbox[GIVES][0]) return false;
  int mutex = n->program.address[i][r->op++];
  append(s->nodes[at].outbox[GIVES], OUTBOX, message_of(RELEASE, at, mutex, member_near(n, mutex, at)));
  r->control = IDLE;
  return true;
}

/* The first in the queue whose mutex can be had. */
static bool grant_queued(const struct network *n, struct state *s, int at) {
  struct node *node = &s->nodes[at];
  for (int i = 0; i < queued(n, node); i++) {
    int mutex = (node->queue[i] - 1) % MUTEXES, to = (node->queue[i] - 1) / MUTEXES;
    if (!may_grant(n, s, at, mutex)) continue;
    memmove(&node->queue[i], &node->queue[i + 1], (size_t)(FEAR_NET_QUEUE - 1 - i));
    node->queue[FEAR_NET_QUEUE - 1] = 0;
    grant(n, s, at, mutex, to);
    return true;
  }
  return false;
}

static bool release_table(const struct network *n, struct state *s, int at, int mutex) {
  if (!(s->nodes[at].released >> mutex & 1) || !may_change(n, s, at, mutex)) return false;
  release(n, s, at, mutex);
  return true;
}

static bool apply(const struct network *n, struct state *s, struct step step) {
  switch ((enum transition)step.code) {
    case ISSUE:
      return ask(n, s, step.agent);
    case RELEASE_IT:
      return give_back(n, s, step.agent);
    case INJECT:
      return inject(n, s, step.agent, step.detail);
    case ADVANCE:
      return advance(n, s, step.agent, (int)(step.detail >> 1), (int)(step.detail & 1));
    case GRANT_QUEUED:
      return grant_queued(n, s, step.agent);
    case RELEASE_TABLE:
      return release_table(n, s, step.agent, (int)step.detail);
  }
  return false;
}

/* ---- packing: only what the options use ---- */

static bool has_input(const struct network *n, int node, enum input input) {
  int x = node % n->o.width, y = node / n->o.width;
  const bool there[INPUTS] = {
      [LOCAL] = true, [WEST] = x > 0, [EAST] = x<n->o.width - 1, [NORTH] = y> 0, [SOUTH] = y < n->o.height - 1};
  return there[input];
}

static void pack_state(const struct network *n, struct state *s, struct packer *p) {
  for (int at = 0; at < n->nodes; at++) {
    struct node *node = &s->nodes[at];
    for (int input = 0; input < INPUTS; input++)
      for (int class = 0; class < n->o.classes && has_input(n, at, (enum input)input); class ++)
        pack(p, node->buffers[input][class], (size_t)n->o.buffer * sizeof(message));
    for (int sender = 0; sender < SENDERS; sender++)
      pack(p, node->outbox[sender], (sender == ANSWERS ? OUTBOX : 1) * sizeof(message));
    pack(p, node->queue, (size_t)n->o.queue);
    pack(p, &node->taken, 2);
  }
  pack(p, s->requesters, (size_t)n->program.requesters * sizeof *s->requesters);
  pack(p, &s->busy, 2);
}

static void unpack(const struct network *n, const void *bytes, struct state *s) {
  memset(s, 0, sizeof *s);
  pack_state(n, s, &(struct packer){.from = bytes});
}

/* ---- the machine ---- */

/* Emits a transition if it can be made. */
static bool attempt(const struct machine *m, const struct state *before, struct step step,
                    struct successor_sink *sink) {
  struct state next = *before;
  uint8_t bytes[m->state_size];
  if (!apply(m->self, &next, step)) return true;
  assert(is_sound(m->self, &next));
  memset(bytes, 0, sizeof bytes);
  pack_state(m->self, &next, &(struct packer){.to = bytes});
  return sink->emit(sink, step, bytes);
}

static bool walk_node(const struct machine *m, const struct state *s, int at, struct successor_sink *sink) {
  const struct network *n = m->self;
  uint16_t agent = (uint16_t)at;
  for (unsigned input = 0; input < INPUTS; input++)
    for (unsigned class = 0; class < CLASSES; class ++)
      if (s->nodes[at].buffers[input][class][0] &&
          !attempt(m, s, (struct step){ADVANCE, agent, input << 1 | class}, sink))
        return false;
  for (unsigned mutex = 0; mutex < (unsigned)n->program.addresses; mutex++)
    if (!attempt(m, s, (struct step){RELEASE_TABLE, agent, mutex}, sink)) return false;
  for (unsigned sender = 0; sender < SENDERS; sender++)
    if (!attempt(m, s, (struct step){INJECT, agent, sender}, sink)) return false;
  return attempt(m, s, (struct step){GRANT_QUEUED, agent, 0}, sink);
}

static bool walk(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct network *n = m->self;
  struct state s;
  unpack(n, state, &s);
  for (int i = 0; i < n->program.requesters; i++)
    if (!attempt(m, &s, (struct step){ISSUE, (uint16_t)i, 0}, sink) ||
        !attempt(m, &s, (struct step){RELEASE_IT, (uint16_t)i, 0}, sink))
      return false;
  for (int at = 0; at < n->nodes; at++)
    if (!walk_node(m, &s, at, sink)) return false;
  return true;
}

static void start(const struct machine *m, void *state) {
  memset(state, 0, m->state_size);
}

static bool is_quiet(const struct network *n, const struct node *node) {
  bool some = node->released || queued(n, node);
  for (int sender = 0; sender < SENDERS; sender++) some |= node->outbox[sender][0] != 0;
  for (int input = 0; input < INPUTS; input++)
    for (int class = 0; class < CLASSES; class ++) some |= node->buffers[input][class][0] != 0;
  return !some;
}

static bool is_final(const struct machine *m, const void *state) {
  const struct network *n = m->self;
  struct state s;
  unpack(n, state, &s);
  for (int i = 0; i < n->program.requesters; i++)
    if (s.requesters[i].control != IDLE || s.requesters[i].op < n->program.ops[i]) return false;
  for (int at = 0; at < n->nodes; at++)
    if (!is_quiet(n, &s.nodes[at])) return false;
  return true;
}

static int64_t observe(const struct machine *m, const void *state, unsigned index) {
  struct state s;
  (void)index;
  unpack(m->self, state, &s);
  return s.twice;
}

/* ---- words ---- */

static enum step_kind kind_of_step(const struct machine *m, struct step step) {
  (void)m;
  return step.code == ISSUE || step.code == RELEASE_IT ? STEP_THREAD : STEP_ENVIRONMENT;
}

static const char mutex_names[] = "xyzw";

static void print_message(const struct network *n, message m, FILE *out) {
  static const char *const words[] = {"request", "grant", "release", "update 'acquired'", "update 'released'"};
  enum kind kind = kind_of(m);
  fprintf(out, "%s of %c", words[kind], mutex_names[mutex_of(m)]);
  if (kind == REQUEST || kind == GRANT || kind == RELEASE)
    fprintf(out, " (P%d)", requester_at(n, from_of(m)));
  else
    fprintf(out, " (node %d)", from_of(m));
}

static void print_advance(const struct network *n, const struct state *before, const struct state *after,
                          struct step step, FILE *out) {
  unsigned input = step.detail >> 1, class = step.detail & 1;
  message m = before->nodes[step.agent].buffers[input][class][0];
  fprintf(out, "node %d: ", step.agent);
  print_message(n, m, out);
  if (to_of(m) != step.agent) {
    enum input entered;
    fprintf(out, " moves to node %d", next_node(n, step.agent, to_of(m), &entered));
    return;
  }
  bool waits = kind_of(m) == REQUEST && queued(n, &after->nodes[step.agent]) > queued(n, &before->nodes[step.agent]);
  fputs(waits ? " waits in the queue" : kind_of(m) == REQUEST ? " is granted" : " is taken", out);
}

static void print_step(const struct machine *m, struct step step, const void *before_bytes, const void *after_bytes,
                       FILE *out) {
  const struct network *n = m->self;
  struct state before, after;
  unpack(n, before_bytes, &before);
  unpack(n, after_bytes, &after);
  int i = step.agent;
  switch ((enum transition)step.code) {
    case ISSUE:
      fprintf(out, "P%d: asks for %c", i, mutex_names[n->program.address[i][before.requesters[i].op]]);
      break;
    case RELEASE_IT:
      fprintf(out, "P%d: gives %c back", i, mutex_names[n->program.address[i][before.requesters[i].op]]);
      break;
    case INJECT:
      fprintf(out, "node %d: ", i);
      print_message(n, before.nodes[i].outbox[step.detail][0], out);
      fputs(" enters the network", out);
      break;
    case ADVANCE:
      print_advance(n, &before, &after, step, out);
      break;
    case GRANT_QUEUED:
      fprintf(out, "node %d: grants one of its queue", i);
      break;
    case RELEASE_TABLE:
      fprintf(out, "node %d: notes that %c is free", i, mutex_names[step.detail]);
      break;
  }
}

static void print_state(const struct machine *m, const void *bytes, FILE *out) {
  static const char *const controls[] = {"idle", "waits", "holds"};
  const struct network *n = m->self;
  struct state s;
  unpack(n, bytes, &s);
  for (int i = 0; i < n->program.requesters; i++)
    fprintf(out, "P%d (node %d): %u done, %s\n", i, node_of(n, i), s.requesters[i].op,
            controls[s.requesters[i].control]);
  for (int at = 0; at < n->nodes; at++) {
    const struct node *node = &s.nodes[at];
    if (is_quiet(n, node)) continue;
    fprintf(out, "node %d: %d in its queue", at, queued(n, node));
    for (int input = 0; input < INPUTS; input++)
      for (int class = 0; class < CLASSES; class ++)
        for (int k = 0; k < n->o.buffer && node->buffers[input][class][k]; k++) {
          fputs(k ? " then " : "; ", out);
          print_message(n, node->buffers[input][class][k], out);
        }
    fputc('\n', out);
  }
}

const char *fear_net_check(const struct fear_program *program, const struct fear_net_options *o) {
  int nodes = o->width * o->height;
  if (nodes > FEAR_NET_NODES) return "the mesh has at most 9 nodes";
  if (program->requesters > nodes) return "the mesh has fewer nodes than the program has requesters";
  if (nodes % o->K != 0) return "a ring's members must divide the nodes";
  return NULL;
}

struct machine *fear_net_new(struct arena *arena, const struct fear_program *program,
                             const struct fear_net_options *options) {
  struct network *n = ARENA_NEW(arena, struct network);
  n->program = *program;
  n->o = *options;
  n->nodes = options->width * options->height;
  n->rings = n->nodes / options->K;
  struct packer measure = {0};
  struct state state = {0};
  pack_state(n, &state, &measure);
  struct machine *m = ARENA_NEW(arena, struct machine);
  *m = (struct machine){.name = "fear-net",
                        .state_size = measure.at,
                        .self = n,
                        .initial = start,
                        .successors = walk,
                        .final = is_final,
                        .step_kind = kind_of_step,
                        .print_step = print_step,
                        .print_state = print_state,
                        .observable_count = 1,
                        .observe = observe};
  return m;
}
