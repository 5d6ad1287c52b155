litscope cost adsm -csv -mapping rolling -params R=1 litmus/adsm/A10.litmus
litscope cost adsm -csv -params B=8,R=2 litmus/adsm/VectorAdd.litmus
litscope cost adsm -csv -params B=8 litmus/adsm/Stencil.litmus
for R in 1 2 4; do litscope cost adsm -csv -params B=8,R=$R litmus/adsm/Passes.litmus; done
litscope cost adsm -params R=0,B=4,cell=8 -json -mapping lazy litmus/adsm/A8.litmus | grep cells_up
litscope cost adsm -params B=6 litmus/adsm/A1.litmus
