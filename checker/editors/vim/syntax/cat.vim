" SPDX-License-Identifier: MIT
if exists("b:current_syntax") | finish | endif
syntax keyword catStatement let rec and in include as show unshow if then else end procedure call begin fun match with
syntax keyword catStatement forall do enum instructions from try default
syntax keyword catCheck acyclic irreflexive empty flag undefined_unless
syntax keyword catRelation po rf co fr rmw id loc int ext addr data ctrl rfe rfi coe coi fre fri
syntax match catSet /\<[A-Z][A-Z0-9_]*\>/
syntax match catOperator /\^-1\|\^+\|\^\*\|++\|[|&\\;*+?~]/
syntax region catString start=/"/ end=/"/ oneline
syntax match catComment "//.*$"
syntax region catComment start="(\*" end="\*)"
highlight default link catStatement Statement
highlight default link catCheck Keyword
highlight default link catRelation Identifier
highlight default link catSet Constant
highlight default link catOperator Operator
highlight default link catString String
highlight default link catComment Comment
let b:current_syntax = "cat"
