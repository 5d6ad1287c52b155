/* SPDX-License-Identifier: MIT */
/* Awaits: loops that read again until a condition holds, cut exactly.
 *
 * A round of a loop has *failed* when it brings its thread back to where it
 * began: live registers are as they were, with the same dependencies, and it did
 * nothing but read, pass fences that do not release, and store with
 * read-modify-writes that do not release either.  Spinning on a load, on a
 * compare-and-swap that fails, on `exchange(lock, 1)` that returns 1.  Rounds begin at
 * the head of their loop, or after the condition that is its head: so `r = load(x);
 * while (r != 1) r = load(x);` is an await too, as r is set anew before it is used.
 *
 * A failed round may well matter: an acquire load that reads what it does not wait
 * for synchronises all the same, and takes the promotion of a remote release; and a
 * load may race.  But a second failed round after it that does the same and reads
 * the same writes matters no more.  Executions with such a repetition are left out,
 * so that each failed round that is left sees something new, and the number of
 * them is bounded by that of the writes (in a model in which reads of one location
 * do not go backwards; elsewhere the bound of -unroll cuts, and says so).
 *
 * Why nothing is lost.  Let A and B be failed rounds, B right after A, with equal
 * events, each read of B seeing the write that A's sees.  Take B out of an
 * execution: what is left is what the thread does if it fails once less, since
 * its registers are the same.  No store is gone, so no final value changes.
 *  - Happens-before (program order, and what reads that synchronise add) does not
 *    change between events that are left: what comes into B through a read comes
 *    into A through the same read, from the same write, and what leaves B leaves
 *    it along program order, as nothing in it releases.  So reads stay visible or
 *    hidden as they were, and two accesses race if they did.
 *  - Of orders through `fr` and `co`, some may be gone, none is new.  Axioms ask
 *    that something be empty or have no cycle, so they still hold.
 *  - Promotion (hrf-rsp) goes to the *next* acquire of a location and from the
 *    *last* release: A's comes before B's.
 *  - An access of B that races does so in A: what comes before A's comes before
 *    B's, and what A's precedes, it precedes along program order, after B.
 * By induction every outcome, and a race if there is one, is shown by an execution
 * without repetitions.
 *
 * Read-modify-writes.  One that stores the value that it has read, and releases
 * nothing (nor does a fence before it in its thread), is taken out with its read;
 * who has read its store now reads what it has read, the same value.  Release
 * sequences pass through read-modify-writes, and HRF follows coherence, so both
 * see the same releases.  For such reads the *same writes* are those from which
 * one gets there over stores like these alone: two threads that spin on one lock
 * read each other's stores in turn, and learn nothing.  (What B reads is then
 * itself such a store, as only one read-modify-write can follow A's source
 * directly; so no value comes to depend on itself.)  Not where coherence is
 * partial (PTX, Vulkan): there observation also depends on the scopes on the way.
 *
 * OpenCL, whose models do not allow failed rounds to be left out of every program (a plain load must see what happens
 * before it, which a failed round's acquire may have made so).  Its happens-before is one for each region,
 * ([G]; po; [G] | ... | gsw)+ and the same of L.  Let b be an event of B and a its like in A.  What comes to b along po
 * from before A comes to a, and from within A to what follows B directly, as po is transitive; what comes along sw
 * from the store that b's read sees, to b or to an acquire fence after it, comes to a, or to the like of that fence or
 * to the fence itself, in the same regions; nothing leaves b along sw.  So ghb and lhb are as they were among the
 * events that are left, and with them `visible` and `hidden`; other axioms become less.
 *
 * hrf-rsp, of whose promotion no graph tells what becomes when events go.  Again a is in A what b is in B.
 *  - ra leads to b, or to an acquire fence after it, from what releases at a store up to that which b reads, in
 * coherence order; so it does to a, and to the like of that fence or the fence itself.
 *  - A remote acquire at b promotes the last release at or before the same store, to the same scope, as that at a does.
 *  - Of the loads that may come next after a remote release, b is none of the earliest, since a may come next too and
 * is before b in program order; and what b is before in coherence, a is before.  So the others among which the model
 *    chooses are those of before, with the same nearest acquires.
 * So scopes are promoted as before, and hhb is as it was among the events that are left; what else checks ask becomes
 * less.
 *
 * This is what Dartagnan and GenMC's spin-assume do, but that they drop all failed
 * rounds, and so look at races elsewhere or not at all.
 */
#ifndef LITSCOPE_EXEC_LOOPS_SPIN_LEAVE_OUT_REPEATED_H
#define LITSCOPE_EXEC_LOOPS_SPIN_LEAVE_OUT_REPEATED_H

#include "checker/cat/cat.h"
#include "checker/exec/search/partial_candidate.h"

/* Does the candidate repeat a failed round, whatever is decided yet? */
bool spin_repeats(const struct frames *all, const struct frame *frame);

/* Is the model one of OpenCL's, or hrf-rsp, which are gone through above?  Others are followed so where somebody asks
 * for it. */
bool spin_repeats_leave_out(const struct cat_model *model);

#endif
