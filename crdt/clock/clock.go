// Package clock is the hybrid logical clock of wire §4: the number that stands
// as hlc in every head. It counts milliseconds since 1970 × 1024 plus a
// counter, lies strictly above everything the writer builds on, and is no
// evidence of when something was written.
//
// Nothing here reads a clock; the time comes in as an argument. Start with
// Next for a writer, and with Ahead where a change is admitted.
package clock

// Tick is how many logical times one millisecond has.
const Tick = 1 << 10

// Max is the largest logical time, in the year 2248: integers beyond it are not
// exact in JavaScript.
const Max = 1<<53 - 1

// Next is the logical time of a change written at nowMillis on top of past,
// which are the logical times of its prev, deps and proof: the larger of
// nowMillis × 1024 and one more than the largest of past. Times before 1970
// count as 1970. A result above Max fits no change; only a past at Max, or a
// clock beyond 2248, leads there.
func Next(nowMillis int64, past ...uint64) uint64 {
	t := FromMillis(nowMillis)
	for _, p := range past {
		t = max(t, p+1)
	}
	return t
}

// FromMillis is the first logical time of a millisecond since 1970. Times before
// 1970 count as 1970, and times beyond 2248 as just beyond Max.
func FromMillis(ms int64) uint64 {
	return uint64(min(max(ms, 0), Max/Tick+1)) * Tick
}

// Millis is the wall-clock part of a logical time, in milliseconds since 1970.
func Millis(hlc uint64) int64 { return int64(hlc / Tick) }

// Ahead reports whether hlc lies more than toleranceMillis after nowMillis. It
// decides admission only, never membership.
func Ahead(hlc uint64, nowMillis, toleranceMillis int64) bool {
	return Millis(hlc)-nowMillis > toleranceMillis
}
