sed "s/name=\"hop\" value=\"2\" low=\"[0-9]*\"/name=\"hop\" value=\"2\" low=\"9000000\"/" mappings/timing-amo.xml >$TMP/m.xml; litscope cost amo-lat -machine $TMP/m.xml
