litscope cost adsm $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo litmus/adsm/A$i.litmus; done)
