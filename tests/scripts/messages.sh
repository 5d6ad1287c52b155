# SPDX-License-Identifier: MIT
# slow
# Every message of the tool is shown by some test; tests/untested_messages says how it knows.
perl tests/untested_messages
