/* SPDX-License-Identifier: MIT */
/* Translations on whole families of programs (compiled_family.h): by a mapping to a
 * language, or by a compiler whose code is in one.  Workers share a family; the
 * result does not depend on their number.
 */
#ifndef LITSCOPE_VERIFY_TRANSLATED_H
#define LITSCOPE_VERIFY_TRANSLATED_H

#include "checker/translate/kind.h"
#include "checker/verify/compiled_family.h"

/* As compiled_emitted. */
bool translated_emitted(struct arena *arena, const struct compiled_family *family, const struct target *target,
                        const struct compiled_options *options, struct emitted *emitted, struct diags *diags);

/* Leaves out each fence, and puts each weaker form in the place of each
 * instruction, of each sound program's translation, one at a time, and asks
 * whether it was needed.  `every`: only every so-many-th sound program.  As
 * compiled_ablation. */
struct family_ablation *translated_ablation(struct arena *arena, const struct compiled_family *family,
                                            const struct target *target, const struct compiled_options *options,
                                            unsigned every, struct diags *diags);

#endif
