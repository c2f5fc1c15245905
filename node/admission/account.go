package admission

import "math"

// Usage is what one account uses of this node's disk.
type Usage struct {
	Bodies int   `json:"bodies"`
	Bytes  int64 `json:"bytes"`
}

func (u Usage) over(bodies int, bytes int64) bool { return u.Bodies > bodies || u.Bytes > bytes }

// accounts count what is kept, by author and by tree. When there are too many the
// small ones are forgotten: they are far below their quota, and whoever
// spreads a flood over many accounts shares one tree, or is a stranger.
type accounts struct {
	max   int
	byKey map[string]Usage
}

func (a *accounts) add(key string, bytes int) {
	u, known := a.byKey[key]
	if !known && len(a.byKey) >= a.max {
		a.forget()
	}
	u.Bodies++
	u.Bytes += int64(bytes)
	a.byKey[key] = u
}

// forget drops accounts that are not above the average, up to half of all.
func (a *accounts) forget() {
	sum := 0.0
	for _, u := range a.byKey {
		sum += float64(u.Bytes)
	}
	average := int64(math.Ceil(sum / float64(len(a.byKey))))
	left := (len(a.byKey) + 1) / 2
	for key, u := range a.byKey {
		if u.Bytes > average {
			continue
		}
		delete(a.byKey, key)
		if left--; left <= 0 {
			return
		}
	}
}
