# All who takes which job, 27, and whom the queue turns away in which order, 6.
litscope check -j 1 -unroll 4 -stats tests/golden/visited/work_queue.litmus 2>&1 | sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e '/^Ok/p' -e '/^Observation/p'
