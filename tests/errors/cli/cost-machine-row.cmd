sed "s/n=8 q=0 d=0\"/n=8 q=0 dd=0\"/" mappings/timing-rsp.xml >$TMP/m.xml; litscope cost rsp-ops -machine $TMP/m.xml
