package recon

// pair looks for two symbols whose contents differ by a single item, where no
// symbol with a single item is left, and takes that item. It finds the last few
// per cent that peeling alone would need further symbols for. The cost is one
// check for every two symbols whose counts are neighbours, so it is only tried
// when few symbols are left, and up to maxChecks for one Peeler.
func (p *Peeler) pair() (found bool, err error) {
	var left []int
	for i := range p.cells {
		if p.cells[i] != (cell{}) {
			left = append(left, i)
		}
	}
	if len(left) > maxPaired {
		return false, nil
	}
	for k, a := range left {
		for _, b := range left[k+1:] {
			c := p.cells[a]
			c.mix(p.cells[b].item, p.cells[b].check, -p.cells[b].count)
			if c.count != 1 && c.count != -1 {
				continue
			}
			if p.checks == maxChecks {
				return false, nil
			}
			p.checks++
			if check(c.item) != c.check {
				continue
			}
			side := c.count
			inA, inB := belongs(c.check, a), belongs(c.check, b)
			if inA == inB {
				continue
			}
			if inB {
				side = -side
			}
			return true, p.find(c.item, c.check, side)
		}
	}
	return false, nil
}
