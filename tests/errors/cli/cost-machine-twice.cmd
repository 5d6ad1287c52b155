sed "s/name=\"l1\"/name=\"hop\"/" mappings/timing-amo.xml >$TMP/m.xml; litscope cost amo-lat -machine $TMP/m.xml
