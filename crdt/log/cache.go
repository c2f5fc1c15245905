package log

import (
	"container/list"
	"sync"
)

// lru keeps the values used last, up to a total cost. It is safe for concurrent
// use.
type lru[K comparable, V any] struct {
	most int

	mu    sync.Mutex // guards what follows
	cost  int
	order *list.List // of *kept[K, V], most recently used first
	at    map[K]*list.Element
}

type kept[K comparable, V any] struct {
	key   K
	value V
	cost  int
}

func newLRU[K comparable, V any](most int) *lru[K, V] {
	return &lru[K, V]{most: most, order: list.New(), at: map[K]*list.Element{}}
}

func (c *lru[K, V]) get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.at[key]
	if el == nil {
		return v, false
	}
	c.order.MoveToFront(el)
	return el.Value.(*kept[K, V]).value, true
}

// put sets the value of key and drops the oldest beyond the total.
func (c *lru[K, V]) put(key K, value V, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.at[key]; el != nil {
		k := el.Value.(*kept[K, V])
		c.cost += cost - k.cost
		k.value, k.cost = value, cost
		c.order.MoveToFront(el)
	} else {
		c.at[key] = c.order.PushFront(&kept[K, V]{key, value, cost})
		c.cost += cost
	}
	for c.cost > c.most && c.order.Len() > 0 {
		c.drop(c.order.Back())
	}
}

func (c *lru[K, V]) drop(el *list.Element) {
	k := c.order.Remove(el).(*kept[K, V])
	delete(c.at, k.key)
	c.cost -= k.cost
}

// clear forgets everything.
func (c *lru[K, V]) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cost = 0
	c.order.Init()
	clear(c.at)
}
