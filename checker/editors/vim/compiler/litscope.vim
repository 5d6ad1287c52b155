" SPDX-License-Identifier: MIT
" `:compiler litscope`, then `:make` checks the test and fills the quickfix list.
let current_compiler = "litscope"
CompilerSet makeprg=litscope\ check\ -q\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%+GObservation\ %m,%+GUndefined:\ %m,%-G%.%#
