/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full.  Nothing is ever taken out, so a search
 * that runs during an addition ends at the word or at a slot that was free a moment ago; who wants
 * to add goes on from there with the lock held. */
#include "hwsem/state_compression_dictionary.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "hwsem/huge_pages.h"

enum { FIRST_SLOTS = 64 };

void dictionary_init(struct dictionary *d) {
  memset(d, 0, sizeof *d);
  d->mask = FIRST_SLOTS / 2 - 1;
  pthread_mutex_init(&d->lock, NULL);
}

void dictionary_free(struct dictionary *d) {
  for (unsigned k = 0; k < DICTIONARY_BLOCKS; k++) free(d->blocks[k]);
  free(d->slots);
  pthread_mutex_destroy(&d->lock);
}

/* From slot i on, the one with the word, or the first that is free. */
static inline size_t find(const struct dictionary *d, uint64_t word, size_t i, uint32_t *number) {
  for (;; i = (i + 1) & d->mask) {
    *number = atomic_load_explicit(&d->slots[i], memory_order_acquire);
    if (!*number || dictionary_word(d, *number - 1) == word) return i;
  }
}

/* Puts the number of a word that was not there, as far as slot i.  false: no room. */
static bool add(struct dictionary *d, uint64_t word, size_t i, uint32_t *number) {
  pthread_mutex_lock(&d->lock);
  i = find(d, word, i, number);
  if (!*number && d->count < d->limit) {
    *dictionary_place(d, d->count) = word;
    *number = ++d->count;
    atomic_store_explicit(&d->slots[i], *number, memory_order_release);
  }
  pthread_mutex_unlock(&d->lock);
  return *number;
}

/* Slots of all are fetched first, then the words that they point to. */
bool dictionary_number(struct dictionary *d, uint64_t *words, uint32_t count) {
  size_t at[DICTIONARY_TOGETHER];
  uint32_t numbers[DICTIONARY_TOGETHER];
  if (!d->slots) return false;
  for (uint32_t i = 0; i < count; i++) {
    at[i] = dictionary_hash(words[i]) & d->mask;
    __builtin_prefetch((const void *)&d->slots[at[i]]);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = atomic_load_explicit(&d->slots[at[i]], memory_order_acquire);
    if (number) __builtin_prefetch(dictionary_place(d, number - 1));
  }
  for (uint32_t i = 0; i < count; i++) {
    at[i] = find(d, words[i], at[i], &numbers[i]);
    if (!numbers[i] && !add(d, words[i], at[i], &numbers[i])) return false;
  }
  for (uint32_t i = 0; i < count; i++) words[i] = numbers[i] - 1;
  return true;
}

/* Growing. */

/* Blocks hold so many words when the next one is wanted. */
static bool add_block(struct dictionary *d, uint64_t *room) {
  unsigned block = 0;
  while (block < DICTIONARY_BLOCKS && d->blocks[block]) block++;
  *room = (UINT64_C(1) << (block + DICTIONARY_FIRST_BITS)) - (1 << DICTIONARY_FIRST_BITS);
  if (d->count < *room) return true;
  if (block == DICTIONARY_BLOCKS) return false;
  size_t words = (size_t)1 << (block + DICTIONARY_FIRST_BITS);
  d->blocks[block] = malloc(words * sizeof(uint64_t));
  *room += words;
  return d->blocks[block];
}

static void place(struct dictionary *d, uint32_t number) {
  size_t i = dictionary_hash(dictionary_word(d, number)) & d->mask;
  while (atomic_load_explicit(&d->slots[i], memory_order_relaxed)) i = (i + 1) & d->mask;
  atomic_store_explicit(&d->slots[i], number + 1, memory_order_relaxed);
}

static bool double_slots(struct dictionary *d) {
  size_t room = 2 * (d->mask + 1);
  free(d->slots);
  d->slots = pages_allocate(alignof(max_align_t), room * sizeof *d->slots);
  if (!d->slots) return false;
  memset((void *)d->slots, 0, room * sizeof *d->slots);
  d->mask = room - 1;
  for (uint32_t i = 0; i < d->count; i++) place(d, i);
  return true;
}

bool dictionary_grow(struct dictionary *d) {
  uint64_t room;
  if (d->count < d->limit) return true;
  if (!add_block(d, &room)) return false;
  if ((!d->slots || 2 * (uint64_t)d->count > d->mask) && !double_slots(d)) return false;
  if (room > (d->mask + 1) / 2) room = (d->mask + 1) / 2;
  d->limit = (uint32_t)room;
  return true;
}

uint64_t dictionary_bytes(struct dictionary *d) {
  pthread_mutex_lock(&d->lock);
  uint64_t slots = d->slots ? d->mask + 1 : 0, words = d->count;
  pthread_mutex_unlock(&d->lock);
  return slots * sizeof *d->slots + words * sizeof **d->blocks;
}
