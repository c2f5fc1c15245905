package standing

import (
	"encoding/binary"
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

func agent(n int) (id change.AgentID) {
	binary.BigEndian.PutUint64(id[:], uint64(n)+1)
	return id
}

const (
	owner = iota
	friend
	author
	stranger
)

func has(scores map[change.AgentID]float64, n int) bool { return scores[agent(n)] >= Least }

func TestTreeOfFreshKeysHasNone(t *testing.T) {
	t.Parallel()
	var ties Ties
	ties.Add(agent(owner), agent(friend), Vote)
	ties.Add(agent(friend), agent(author), Reuse)
	for i := range 5000 { // all of whom vouch for each other, and for those whom one likes
		me := agent(1000 + i)
		ties.Add(me, agent(1000+(i+1)%5000), Sponsor)
		ties.Add(me, agent(1000+(i*7)%5000), Vote)
		ties.Add(me, agent(friend), Vote)
	}
	scores := ties.Walk([]change.AgentID{agent(owner)})
	for n, want := range map[int]bool{owner: true, friend: true, author: true, stranger: false, 1000: false, 3500: false} {
		if has(scores, n) != want {
			t.Errorf("agent %d: %v", n, scores[agent(n)])
		}
	}
	if len(scores) != 3 {
		t.Errorf("%d agents are reached", len(scores))
	}
}

// One mistaken vote does not carry a tree in.
func TestStandingIsSharedByWhoIsVouchedFor(t *testing.T) {
	t.Parallel()
	var ties Ties
	for i := range 100 {
		ties.Add(agent(owner), agent(100+i), Vote)
		ties.Add(agent(100+i), agent(300+i), Vote)
	}
	ties.Add(agent(owner), agent(stranger), Vote)
	for i := range 5000 {
		ties.Add(agent(stranger), agent(1000+i), Sponsor)
	}
	scores := ties.Walk([]change.AgentID{agent(owner)})
	if !has(scores, stranger) || !has(scores, 100) || !has(scores, 399) {
		t.Errorf("%v, %v, %v", scores[agent(stranger)], scores[agent(100)], scores[agent(399)])
	}
	if has(scores, 1000) {
		t.Errorf("one of 5000 that a stranger brought has %v", scores[agent(1000)])
	}
}

func TestGuildsTieTheirMembers(t *testing.T) {
	t.Parallel()
	var ties Ties
	ties.AddGuild([]change.AgentID{agent(owner), agent(friend), agent(author)})
	crowd := []change.AgentID{agent(owner)}
	for i := range maxGuild {
		crowd = append(crowd, agent(1000+i))
	}
	ties.AddGuild(crowd)
	scores := ties.Walk([]change.AgentID{agent(owner)})
	if !has(scores, friend) || has(scores, 1000) {
		t.Errorf("a guild of three %v, a crowd %v", scores[agent(friend)], scores[agent(1000)])
	}
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	if sum > 1+1e-9 {
		t.Errorf("scores sum to %v", sum)
	}
	if got := ties.Walk(nil); got != nil {
		t.Errorf("without a seed: %v", got)
	}
}

func BenchmarkWalk(b *testing.B) {
	var ties Ties
	for i := range 20_000 {
		for j := range 10 {
			ties.Add(agent(i), agent((i*31+j*977)%20_000), Vote)
		}
	}
	for b.Loop() {
		ties.Walk([]change.AgentID{agent(0)})
	}
}
