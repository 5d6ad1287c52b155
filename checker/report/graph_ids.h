/* SPDX-License-Identifier: MIT */
/* Identifiers of cgraph's objects by order of creation.  cgraph's own are
 * addresses, and it writes subgraphs in the order of their identifiers: the
 * same graph would come out differently from run to run. */
#ifndef LITSCOPE_REPORT_GRAPH_IDS_H
#define LITSCOPE_REPORT_GRAPH_IDS_H

#include <cgraph.h>

extern Agdisc_t graph_ids_discipline;

#endif
