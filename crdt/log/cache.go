package log

import "sync"

// cache keeps values used of late, up to a total cost. It has two generations,
// each of half the total: what is put or found again goes into the young one, and
// when that is full it becomes the old one, whose values are forgotten. So a value
// costs its place in a map and no more. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	half int

	mu    sync.Mutex // guards what follows
	cost  int        // of young
	young map[K]kept[V]
	old   map[K]kept[V]
}

type kept[V any] struct {
	value V
	cost  int
}

func newCache[K comparable, V any](most int) *cache[K, V] {
	return &cache[K, V]{half: most / 2, young: map[K]kept[V]{}, old: map[K]kept[V]{}}
}

func (c *cache[K, V]) get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.young[key]
	if !ok {
		if k, ok = c.old[key]; ok {
			c.keep(key, k)
		}
	}
	return k.value, ok
}

// put sets the value of key. One that costs more than half of the total is not
// kept.
func (c *cache[K, V]) put(key K, value V, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, kept[V]{value, cost})
}

// keep makes k the young value of key, and the only one. c.mu is held.
func (c *cache[K, V]) keep(key K, k kept[V]) {
	delete(c.old, key)
	if was, ok := c.young[key]; ok {
		delete(c.young, key)
		c.cost -= was.cost
	}
	if k.cost > c.half {
		return
	}
	if c.cost+k.cost > c.half {
		clear(c.old)
		c.old, c.young, c.cost = c.young, c.old, 0
	}
	c.young[key] = k
	c.cost += k.cost
}

// clear forgets everything.
func (c *cache[K, V]) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cost = 0
	clear(c.young)
	clear(c.old)
}
