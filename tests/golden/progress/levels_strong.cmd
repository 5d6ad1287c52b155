# Strong fairness by level: of a group, some thread makes a step from each state that is come to again and again, which
# may be another than the one that could leave its loop; with all levels fair it is strong fairness.
litscope progress -scheduler strong:fair,wg=fair,strong:wg=fair/sg=fair,wg=fair/sg=unfair,strong:wg=fair/sg=unfair,strong:wg=fair/sg=hsa,strong:wg=obe/sg=obe,strong:wg=unfair tests/golden/progress/levels_strong.litmus |
  grep Progress
litscope progress -scheduler wg=fair/sg=unfair,strong:wg=fair/sg=unfair tests/golden/progress/exchange.litmus
