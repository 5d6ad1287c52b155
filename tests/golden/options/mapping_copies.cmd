# An edited copy of a mapping has its name: each is called by its file then.
sed 's/<about>/<about>Edited. /' mappings/rsp-corrected.xml >"$TMP/mine.xml"
litscope verify -mapping rsp-corrected,"$TMP/mine.xml" litmus/rsp/RSP_Test2.litmus
litscope verify -mapping "$TMP/mine.xml" litmus/rsp/RSP_Test2.litmus
