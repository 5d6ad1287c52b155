litscope targets gfx1031
