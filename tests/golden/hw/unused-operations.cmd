# Operations of a mapping that can never match are warned of.
cat >$TMP/m.xml <<'END'
<mapping name="m"><title>t</title><about>a</about>
<operation kind="load"><ld/></operation>
<operation kind="load" scope="dev" order="acq"><ld/><inv cache="L1" target="wg"/></operation>
<operation kind="store" order="na"><st/></operation>
<operation kind="store" order="acq"><st/></operation>
<operation kind="store"><flu cache="L1" target="wg"/><st/></operation>
</mapping>
END
litscope compile -mapping $TMP/m.xml litmus/hrf/D1.litmus | head -n 3
for mapping in mappings/rsp-*.xml; do litscope compile -mapping $mapping litmus/rsp/RSP_Test2.litmus >/dev/null; done
