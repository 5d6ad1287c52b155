# Names with commas and quotes are fields of CSV all the same.
sed '1s/RSP_Test2/a,"b"/' litmus/rsp/RSP_Test2.litmus >$TMP/t.litmus
litscope cost mapping -csv $TMP/t.litmus
sed '1s/A1/a,"b"/' litmus/adsm/A1.litmus >$TMP/u.litmus
litscope cost adsm -csv -mapping batch $TMP/u.litmus
