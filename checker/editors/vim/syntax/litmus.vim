" SPDX-License-Identifier: MIT
if exists("b:current_syntax") | finish | endif
syntax match litmusThread /\<P\d\+\>/
syntax match litmusNumber /\<\(0x\x\+\|\d\+\)\>/
syntax match litmusFunction /\<atomic_\w\+\|\<work_group_barrier\>\|\<barrier\>\|\<\(ld\|st\|atom\|red\|fence\|bar\|barrier\|membar\|mbarrier\)\.[0-9A-Za-z_.:]\+/
syntax match litmusType /\<atomic_\w*\(int\|long\|flag\|bool\|size_t\)\>/
syntax match litmusConstant /\<memory_\(order\|scope\)_\w\+/
syntax keyword litmusType int long unsigned void global local constant volatile
syntax keyword litmusControl if else while do for return break continue goto
syntax keyword litmusScope scopeTree scope scopes device work_group sub_group system
syntax keyword litmusCondition exists forall final filter locations not
syntax match litmusLanguage /\%1l^\s*\w\+/
syntax region litmusString start=/"/ end=/"/ oneline
syntax match litmusComment "//.*$"
syntax region litmusComment start="(\*[[:space:]*]\@=" end="\*)"
syntax region litmusComment start="/\*" end="\*/"
highlight default link litmusThread Function
highlight default link litmusNumber Number
highlight default link litmusFunction Identifier
highlight default link litmusType Type
highlight default link litmusConstant Constant
highlight default link litmusControl Statement
highlight default link litmusScope Constant
highlight default link litmusCondition Statement
highlight default link litmusLanguage PreProc
highlight default link litmusString String
highlight default link litmusComment Comment
let b:current_syntax = "litmus"
