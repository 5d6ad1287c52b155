/* SPDX-License-Identifier: MIT */
/* Arrays: how many elements one has, and a loop over them. */
#ifndef LITSCOPE_BASE_ARRAY_H
#define LITSCOPE_BASE_ARRAY_H

/* The elements of an array that the compiler knows the size of; not of a pointer to one. */
#define ARRAY_COUNT(array) (sizeof(array) / sizeof *(array))

/* For each of `count` elements of an array, which the body leaves where it is; none where `array` is NULL. */
#define ARRAY_EACH(type, name, array, count) for (type *name = (array); name && name < (array) + (count); name++)

#endif
