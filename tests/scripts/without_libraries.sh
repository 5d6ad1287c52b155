# SPDX-License-Identifier: MIT
# slow
# A build without Graphviz, OpenCL, SPIRV-Tools and CaDiCaL: no need of their headers and
# libraries, everything but pictures of executions, devices, kernels and the solver, and a
# sentence where those are asked for.
set -eu
export LITSCOPE_LIB="$PWD"
# From what is compiled already, but for sources that these libraries concern: the others do not name them.
cp -a "$BUILD" "$TMP/build"
rm -f "$TMP"/build/*.a
grep -lE 'WITHOUT_OPENCL|<CL/|graphviz|gvc|cgraph' checker/*/*.[ch] checker/exec/*/*.[ch] hwsem/*.[ch] hwsem/*/*.[ch] | while read -r source; do
  rm -f "$TMP/build/${source%.[ch]}.o"
done
build() { make -s -j2 "$@" GRAPHVIZ=no OPENCL=no SPIRV=no CADICAL=no BUILD="$TMP/build" PROGRAM="$TMP/litscope"; }
build "$TMP/build/flags"
touch -d 2000-01-01 "$TMP/build/flags"
build all >"$TMP/make.log" 2>&1 || {
  cat "$TMP/make.log"
  exit 1
}
! ldd "$TMP/litscope" | grep -q 'libgvc\|libcgraph' || { echo "Graphviz is linked"; exit 1; }
! nm "$TMP/litscope" | grep -q spvContextCreate || { echo "SPIRV-Tools is linked"; exit 1; }
"$TMP/litscope" check litmus/rsp/RSP_Test2.litmus | grep -q 'Observation RSP_Test2 Never'
! "$TMP/litscope" check -o "$TMP/g" litmus/rsp/RSP_Test2.litmus >"$TMP/out" 2>"$TMP/err" || exit 1
grep -q 'this litscope was built without pictures (GRAPHVIZ=no)' "$TMP/err"
status=0
"$TMP/litscope" check litmus/kernels/message_device.spvasm >"$TMP/out" 2>"$TMP/err" || status=$?
[ $status = 2 ] || { echo "a kernel: status $status"; exit 1; }
grep -q 'litscope was built without SPIRV-Tools, so that it reads no kernels' "$TMP/err"
status=0
"$TMP/litscope" report -o "$TMP/page" -mapping rsp-original litmus/rsp/RSP_Test2.litmus >"$TMP/out" 2>"$TMP/err" || status=$?
[ $status = 1 ] || { echo "report: status $status, and the mapping is unsound"; exit 1; }
grep -q 'no pictures of executions: this litscope was built without' "$TMP/err"
status=0
"$TMP/litscope" run litmus/c11/CoRR.litmus >"$TMP/out" 2>"$TMP/err" || status=$?
[ $status = 2 ] || { echo "run: status $status"; exit 1; }
grep -q "this litscope was built without OpenCL: install its headers (Debian: opencl-headers) and build it again" "$TMP/err"
status=0
"$TMP/litscope" check -engine solve litmus/c11/CoRR.litmus >"$TMP/out" 2>"$TMP/err" || status=$?
[ $status = 2 ] || { echo "solve: status $status"; exit 1; }
grep -q 'has no answer for CoRR under rc11: this litscope was built without a solver (CADICAL=no)' "$TMP/err"
"$TMP/litscope" run -emit opencl "$TMP/emitted" litmus/c11/CoRR.litmus >"$TMP/out"
grep -q 'the shortest run' "$TMP/page/index.html"
