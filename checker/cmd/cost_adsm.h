/* `cost adsm TEST...`: what ADSM litmus tests move and take. */
#ifndef LITSCOPE_CMD_COST_ADSM_H
#define LITSCOPE_CMD_COST_ADSM_H

#include "cmd/command.h"

int cost_adsm(struct invocation *call);

#endif
