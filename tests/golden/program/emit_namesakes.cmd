# Two tests of one name get a folder each.
mkdir "$TMP/d"
cp litmus/opencl/MP_dev_apart.litmus "$TMP/d"
litscope run -emit cuda "$TMP/out" litmus/opencl/MP_dev_apart.litmus "$TMP/d/MP_dev_apart.litmus" >/dev/null
ls "$TMP/out"
