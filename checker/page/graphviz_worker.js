// SPDX-License-Identifier: MIT
// Pictures, apart from the page: Graphviz leads edges around events that have their places, as litscope-draw does.
const MAX_CURVED = 64; // as checker/draw/place_arrows.c
let graphviz;
onmessage = async ({data}) => {
  try {
    graphviz ??= await Graphviz.load();
    const events = (data.graph.match(/^e\d+ \[/gm) || []).length;
    const graph = events > MAX_CURVED ? data.graph.replace('graph [splines="true"', 'graph [splines="line"') : data.graph;
    postMessage({picture: graphviz.layout(graph, 'svg', 'nop')});
  } catch (fault) {
    postMessage({fault: String(fault)});
  }
};
