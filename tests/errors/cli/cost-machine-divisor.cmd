sed "s/l2\/2/l2\/99999999999999999999/" mappings/timing-rsp.xml >$TMP/m.xml; litscope cost rsp-ops -machine $TMP/m.xml
