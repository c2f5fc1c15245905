package fold_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// strangerBytes is what views may keep of each change of strangers who write little
// and each in another place, births included. It is a third above what they do.
const strangerBytes = 1000

// A flood is many authors with a few entries each in as many chains, so what an
// author and a chain cost weighs more than what an entry does.
func TestStrangersCostLittleMemory(t *testing.T) {
	w := worldtest.New(1)
	var cs []*change.Change
	for i := range 1000 {
		a := w.Agent(fmt.Sprint("stranger ", i))
		cs = append(cs, a.Bind())
		for n := range 4 {
			cs = append(cs, a.Entry([]string{"go", "rust", "sql", "css"}[n], fmt.Sprint("lesson ", i, n)))
		}
	}
	before := heap()
	v := fold.New(w.Net)
	apply(v, cs...)
	each := int64(heap()-before) / int64(len(cs))
	t.Logf("%d bytes a change", each)
	if each > strangerBytes {
		t.Errorf("views keep %d bytes a change of strangers, at most %d", each, strangerBytes)
	}
	runtime.KeepAlive(cs)
	runtime.KeepAlive(v)
}
