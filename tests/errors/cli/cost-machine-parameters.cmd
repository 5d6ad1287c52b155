perl -e 'undef $/; $_ = <>; my @new = map { "  <parameter name=\"p$_\" value=\"1\" low=\"0\" high=\"9\" unit=\"c\" source=\"s\">t</parameter>\n" } 1 .. 1001;
s/^ *<parameter .*<\/parameter>\n/join "", @new/ems; print' mappings/timing-rsp.xml >$TMP/many.xml
litscope cost rsp-ops -machine $TMP/many.xml
