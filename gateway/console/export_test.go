package console

// OwnerTable and GuestTable are the rows of both faces, as METHOD and path.
func OwnerTable() []string {
	c := &Console{Config: Config{Keeper: struct{ Keeper }{}, Process: struct{ Process }{}}}
	return rowsOf(c.pages())
}

// GuestTable is that of people at a gateway.
func GuestTable() []string { return rowsOf((&Guests{Console: &Console{}}).pages()) }

func rowsOf(table []page) (out []string) {
	for _, p := range table {
		out = append(out, p.method+" "+p.path)
	}
	return out
}
