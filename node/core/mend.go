package core

// Damaged counts the changes, and the parts of the store, that are known to be
// damaged.
func (n *Core) Damaged() int {
	changes, parts := n.Log.Damaged()
	return changes + parts
}

// Lacking counts the changes that lists may lack since they are damaged.
func (n *Core) Lacking(met int) int {
	changes, _ := n.Log.Damaged()
	return max(met, changes)
}
