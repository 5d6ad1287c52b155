litscope list targets gfx1031
