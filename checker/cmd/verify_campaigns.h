/* SPDX-License-Identifier: MIT */
/* What `verify` asks of many programs at once, in place of tests.  To add a campaign NAME: a file cmd/verify_NAME.c
 * with the object verify_NAME, and its name in the list, before `mapping`, which takes every other family.  One that an
 * option of its own asks for needs the option in command_table.h, too, and, unless it is of files, in is_campaign of
 * verify.c.
 */
#ifndef LITSCOPE_CMD_VERIFY_CAMPAIGNS_H
#define LITSCOPE_CMD_VERIFY_CAMPAIGNS_H

#include "checker/cmd/machine_options.h"
#include "checker/verify/verify_test.h"

struct verify_request {
  struct invocation *call;
  const struct hardware *hardware; /* NULL: of files */
  const struct cat_model *model;   /* of OpenCL; NULL: it cannot be used */
  struct verify_options options;   /* with the limits of the call */
};

struct verify_campaign {
  bool (*is_asked)(const struct verify_request *request);
  bool of_files;  /* the words of the command line are its files; it reads what else it needs itself */
  bool of_opencl; /* the model must be there, and be OpenCL's */
  /* Runs it (campaign.h): the exit status. */
  int (*run)(const struct verify_request *request);
};

/* The first that is asked for is run; those of files come before the others. */
#define VERIFY_CAMPAIGN_LIST(X) X(legalizer_blocks) X(adsm) X(target_code) X(ablation) X(mapping)

#define VERIFY_CAMPAIGN(name) extern const struct verify_campaign verify_##name;
VERIFY_CAMPAIGN_LIST(VERIFY_CAMPAIGN)
#undef VERIFY_CAMPAIGN

#endif
