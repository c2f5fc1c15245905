package index

import "strings"

// stopWords are the English words that say how a sentence is built and not what it is
// about. They are dropped from prose only.
var stopWords = func() map[string]bool {
	const list = `a about after all also an and any are as at be because been before being between both but by
can could did do does doing during each either for from had has have having he her here him his how i if in
into is it its just may me might more most must my no nor not of on once only or other our out over own
shall she should so some such than that the their them then there these they this those through to too
under until up upon us very was we were what when where whether which while who whom whose why will with
would yet you your`
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}()
