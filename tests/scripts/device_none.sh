# SPDX-License-Identifier: MIT
# `run` where OpenCL's loader, its calls or every driver is missing.
set -u
failed=0
# says PATTERN LOADER: with what is found as the loader.
says() {
  LD_LIBRARY_PATH="$2" OCL_ICD_VENDORS="$TMP/none" litscope run litmus/c11/CoRR.litmus >"$TMP/out" 2>"$TMP/err"
  status=$?
  [ $status = 2 ] && grep -q -e "$1" "$TMP/err" && [ ! -s "$TMP/out" ] ||
    { echo "status $status, no '$1': $(cat "$TMP/err")"; failed=1; }
}
mkdir "$TMP/broken" "$TMP/empty" "$TMP/none"
echo nothing >"$TMP/broken/libOpenCL.so.1"
says "OpenCL's loader cannot be opened (Debian: ocl-icd-libopencl1, and a driver such as pocl-opencl-icd): .*/libOpenCL.so.1: " "$TMP/broken"
echo 'int nothing;' | cc -shared -fPIC -x c -o "$TMP/empty/libOpenCL.so.1" -
says "OpenCL's loader lacks the call clGetPlatformIDs" "$TMP/empty"
if ldconfig -p 2>/dev/null | grep -q 'libOpenCL.so.1'; then
  says 'OpenCL has no device: no driver is installed (Debian: pocl-opencl-icd is one for every processor)' ''
fi
exit $failed
