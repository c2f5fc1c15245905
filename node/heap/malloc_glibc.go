//go:build linux && cgo

package heap

/*
#include <malloc.h>

// The store has its tables in memory and its cache of blocks on the heap of C. By
// itself glibc takes an arena for each thread, and after the first large free keeps
// later ones for itself, so that tables of 4 MB that are gone stay in every arena.
// Settings count for arenas made later: this runs before Go starts threads. It has
// no effect where the C library is not glibc.
__attribute__((constructor)) static void few_arenas(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}
*/
import "C"
