sed "s/l2\/2/l3\/2/" mappings/timing-rsp.xml >$TMP/m.xml; litscope cost rsp-ops -machine $TMP/m.xml
