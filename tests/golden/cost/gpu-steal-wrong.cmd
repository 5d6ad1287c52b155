# A scheme that does not promote runs tasks twice, which is found out.
awk '/kind="rmw"/ && /remote="yes"/ {print "  <operation kind=\"rmw\" scope=\"dev\" remote=\"yes\"><inc level=\"L2\"/></operation>"; skip = 1}
     !skip; /<\/operation>/ {skip = 0}' mappings/rsp-corrected.xml |
  sed 's/name="rsp-corrected"/name="no-promotion"/' >$TMP/no-promotion.xml
litscope cost gpu-steal -mapping $TMP/no-promotion.xml -params program=pagerank,graph=rmat,V=1024,lanes=16 2>&1 | grep error
