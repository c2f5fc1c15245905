package zone

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/zone/bounds"
	"pgregory.net/rapid"
)

func box(x0, y0, z0, x1, y1, z1 float64) bounds.Box {
	return bounds.Box{Min: bounds.Point{x0, y0, z0}, Max: bounds.Point{x1, y1, z1}}
}

func give(r ...Right) *[]Right { return &r }

// town is a square, with a house on it, a vault in the house and a kiosk in the
// vault.
func town(t testing.TB) *Policy {
	t.Helper()
	p, err := NewPolicy([]Zone{
		{ID: "square", Bounds: box(0, 0, 0, 100, 100, 100), Class: Public},
		{
			ID: "house", Bounds: box(10, 0, 10, 30, 10, 30), Class: Private, Default: give(Read),
			Roles:  map[string][]Right{"builder": {Read, Write}, "cleaner": {Delete}, "banned": {}},
			Agents: map[string][]Right{"ada": {Admin}, "eve": {}},
		},
		{
			ID: "vault", Bounds: box(12, 0, 12, 18, 4, 18), Class: Restricted, Default: give(Read, Write),
			Roles: map[string][]Right{"builder": {Read}}, Agents: map[string][]Right{"eve": {Read}},
		},
		{ID: "kiosk", Bounds: box(14, 0, 14, 15, 2, 15), Class: Public, Default: give(Read, Write)},
		{
			ID: "safe", Bounds: box(16, 0, 16, 17, 1, 17), Class: Sensitive, Default: give(Read), Roles: map[string][]Right{"builder": {Admin}},
			Agents: map[string][]Right{"ada": {Read}},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDecide(t *testing.T) {
	t.Parallel()
	p := town(t)
	square, house, vault, kiosk, safe := bounds.Point{50, 0, 50}, bounds.Point{25, 5, 25}, bounds.Point{13, 1, 13}, bounds.Point{14, 0, 15}, bounds.Point{16.5, 0, 16.5}
	cases := []struct {
		name  string
		agent string
		roles string
		at    bounds.Point
		right Right
		want  Decision
	}{
		{"public reads", "bob", "", square, Read, Decision{true, "square", ByDefault, ""}},
		{"and no more", "bob", "", square, Write, Decision{false, "square", ByDefault, Write}},
		{"nobody reads what is public", "", "", square, Read, Decision{true, "square", ByDefault, ""}},
		{"default", "bob", "", house, Read, Decision{true, "house", ByDefault, ""}},
		{"default is not enough", "bob", "", house, Write, Decision{false, "house", ByDefault, Write}},
		{"role", "bob", "builder", house, Write, Decision{true, "house", ByRole, ""}},
		{"roles add up", "bob", "builder cleaner", house, Delete, Decision{true, "house", ByRole, ""}},
		{"write is not read", "bob", "cleaner", house, Read, Decision{false, "house", ByRole, Read}},
		{"a role can give less than the default", "bob", "banned", house, Read, Decision{false, "house", ByRole, Read}},
		{"unknown roles are no roles", "bob", "poet", house, Read, Decision{true, "house", ByDefault, ""}},
		{"agent before role", "eve", "builder", house, Read, Decision{false, "house", ByAgent, Read}},
		{"admin is everything", "ada", "", house, Delete, Decision{true, "house", ByAgent, ""}},
		{"restricted ignores its default", "bob", "", vault, Read, Decision{false, "vault", ByClass, Read}},
		{"restricted hears roles", "bob", "builder", vault, Read, Decision{true, "vault", ByRole, ""}},
		{"the house's admin is not the vault's", "ada", "", vault, Read, Decision{false, "vault", ByClass, Read}},
		{"agent in the vault", "eve", "", vault, Read, Decision{true, "vault", ByAgent, ""}},
		{"a kiosk inside a vault is public", "bob", "", kiosk, Write, Decision{true, "kiosk", ByDefault, ""}},
		{"sensitive ignores roles", "bob", "builder", safe, Read, Decision{false, "safe", ByClass, Read}},
		{"and its default", "bob", "", safe, Read, Decision{false, "safe", ByClass, Read}},
		{"sensitive hears agents", "ada", "", safe, Read, Decision{true, "safe", ByAgent, ""}},
		{"outside", "ada", "", bounds.Point{101, 0, 0}, Read, Decision{false, "", Outside, Read}},
		{"surface belongs to the zone", "bob", "", bounds.Point{30, 10, 30}, Write, Decision{false, "house", ByDefault, Write}},
		{"no number", "ada", "", bounds.Point{math.NaN(), 5, 25}, Read, Decision{false, "", Outside, Read}},
		{"no right", "ada", "", house, "spatial:fly", Decision{false, "house", ByAgent, "spatial:fly"}},
		{"empty right", "ada", "", house, "", Decision{false, "house", ByAgent, ""}},
	}
	for _, c := range cases {
		got := p.Decide(Who{c.agent, strings.Fields(c.roles)}, c.at, c.right)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestOutsideHasRights(t *testing.T) {
	t.Parallel()
	p, err := NewPolicy(nil, []Right{Read})
	if err != nil {
		t.Fatal(err)
	}
	for right, want := range map[Right]bool{Read: true, Write: false} {
		if got := p.Decide(Who{}, bounds.Point{1, 2, 3}, right); got.Allowed != want || got.Rule != Outside {
			t.Errorf("%s: %+v", right, got)
		}
	}
	if got := p.Decide(Who{}, bounds.Point{math.NaN()}, Read); got.Allowed {
		t.Error("a point that is no point may be read")
	}
	admin, err := NewPolicy(nil, []Right{Admin})
	if err != nil {
		t.Fatal(err)
	}
	if admin.Decide(Who{}, bounds.Point{}, "spatial:fly").Allowed || !admin.Decide(Who{}, bounds.Point{}, Delete).Allowed {
		t.Error("admin of the outside")
	}
}

func TestEqualVolumes(t *testing.T) {
	t.Parallel()
	p, err := NewPolicy([]Zone{
		{ID: "a", Bounds: box(0, 0, 0, 2, 2, 2), Class: Public},
		{ID: "c", Bounds: box(1, 1, 1, 3, 3, 3), Class: Restricted},
		{ID: "b", Bounds: box(1, 1, 1, 3, 3, 3), Class: Restricted},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Decide(Who{}, bounds.Point{1.5, 1.5, 1.5}, Read); got.Zone != "b" {
		t.Errorf("%+v, want the stricter one with the lesser id", got)
	}
}

func TestDecideBox(t *testing.T) {
	t.Parallel()
	p := town(t)
	for _, c := range []struct {
		name string
		who  Who
		box  bounds.Box
		want Decision
	}{
		{"in the square alone", Who{}, box(40, 0, 40, 50, 1, 50), Decision{true, "square", ByDefault, ""}},
		{"a house within is asked too", Who{Agent: "eve"}, box(20, 0, 20, 50, 1, 50), Decision{false, "house", ByAgent, Read}},
		{"beyond the square", Who{}, box(90, 0, 90, 101, 1, 91), Decision{false, "", Outside, Read}},
		{"inside the kiosk the vault has no say", Who{}, box(14.2, 0, 14.2, 14.8, 1, 14.8), Decision{true, "kiosk", ByDefault, ""}},
		{"touching the vault", Who{}, box(18, 0, 18, 19, 1, 19), Decision{false, "vault", ByClass, Read}},
		{"wrong way round", Who{}, box(50, 0, 40, 40, 1, 50), Decision{false, "", Outside, Read}},
		{"no number", Who{}, box(math.NaN(), 0, 40, 40, 1, 50), Decision{false, "", Outside, Read}},
	} {
		if got := p.DecideBox(c.who, c.box, Read); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestDecideMemory(t *testing.T) {
	t.Parallel()
	p := town(t)
	for _, c := range []struct {
		who      Who
		resource string
		ability  string
		want     Decision
		err      error
	}{
		{Who{Agent: "ada"}, Memory("house"), MemoryWrite, Decision{true, "house", ByAgent, ""}, nil},
		{Who{Agent: "bob"}, Memory("house"), MemoryWrite, Decision{false, "house", ByDefault, Write}, nil},
		{Who{Agent: "bob"}, Memory("house"), MemoryRead, Decision{true, "house", ByDefault, ""}, nil},
		{Who{Agent: "ada"}, Memory("attic"), MemoryRead, Decision{false, "attic", NoZone, Read}, nil},
		{Who{Agent: "ada"}, Memory("house"), "memory/delete", Decision{}, ErrResource},
		{Who{Agent: "ada"}, Memory("house"), "Memory/Read", Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/house/", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/../house", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/..", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/house?x", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "mem://zone/hous%65", MemoryRead, Decision{}, ErrResource},
		{Who{Agent: "ada"}, "MEM://zone/house", MemoryRead, Decision{}, ErrResource},
	} {
		got, err := p.DecideMemory(c.who, c.resource, c.ability)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s %s: %+v, %v, want %+v, %v", c.resource, c.ability, got, err, c.want, c.err)
		}
	}
}

func TestNewPolicyRefuses(t *testing.T) {
	t.Parallel()
	good := Zone{ID: "z", Bounds: box(0, 0, 0, 1, 1, 1), Class: Public}
	many := func(n int) map[string][]Right {
		out := map[string][]Right{}
		for i := range n {
			out[fmt.Sprint("n", i)] = []Right{Read}
		}
		return out
	}
	cases := map[string]struct {
		edit func(*Zone)
		ok   bool
	}{
		"as it is":            {func(*Zone) {}, true},
		"flat":                {func(z *Zone) { z.Bounds.Max[1] = 0 }, true},
		"a did as agent":      {func(z *Zone) { z.Agents = map[string][]Right{"did:key:z6MktULudTtAs": {Read}} }, true},
		"farthest":            {func(z *Zone) { z.Bounds = box(-bounds.MaxCoordinate, 0, 0, bounds.MaxCoordinate, 1, 1) }, true},
		"farther":             {func(z *Zone) { z.Bounds.Max[0] = bounds.MaxCoordinate * 1.001 }, false},
		"infinite":            {func(z *Zone) { z.Bounds.Max[0] = math.Inf(1) }, false},
		"no number":           {func(z *Zone) { z.Bounds.Min[2] = math.NaN() }, false},
		"wrong way round":     {func(z *Zone) { z.Bounds.Min[2] = 2 }, false},
		"no id":               {func(z *Zone) { z.ID = "" }, false},
		"id with a slash":     {func(z *Zone) { z.ID = "a/b" }, false},
		"id upwards":          {func(z *Zone) { z.ID = ".." }, false},
		"longest id":          {func(z *Zone) { z.ID = strings.Repeat("z", MaxName) }, true},
		"longer id":           {func(z *Zone) { z.ID = strings.Repeat("z", MaxName+1) }, false},
		"no class":            {func(z *Zone) { z.Class = "" }, false},
		"class in capitals":   {func(z *Zone) { z.Class = "Public" }, false},
		"unknown right":       {func(z *Zone) { z.Default = give("spatial:fly") }, false},
		"right twice":         {func(z *Zone) { z.Default = give(Read, Read) }, false},
		"role without name":   {func(z *Zone) { z.Roles = map[string][]Right{"": {Read}} }, false},
		"role's right":        {func(z *Zone) { z.Roles = map[string][]Right{"x": {"read"}} }, false},
		"agent of two words":  {func(z *Zone) { z.Agents = map[string][]Right{"a b": {Read}} }, false},
		"most roles":          {func(z *Zone) { z.Roles = many(MaxGrants) }, true},
		"more roles":          {func(z *Zone) { z.Roles = many(MaxGrants + 1) }, false},
		"more agents":         {func(z *Zone) { z.Agents = many(MaxGrants + 1) }, false},
		"nothing for default": {func(z *Zone) { var none []Right; z.Default = &none }, true},
	}
	for name, c := range cases {
		z := good
		c.edit(&z)
		p, err := NewPolicy([]Zone{z}, nil)
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, ErrPolicy) {
			t.Errorf("%s: %v", name, err)
		}
		if c.ok {
			text, err := p.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse(text); err != nil {
				t.Errorf("%s: does not read itself: %v", name, err)
			}
		}
	}
	var zones []Zone
	for i := range MaxZones {
		z := good
		z.ID = fmt.Sprint(i)
		zones = append(zones, z)
	}
	if _, err := NewPolicy(zones, nil); err != nil {
		t.Errorf("most zones: %v", err)
	}
	if _, err := NewPolicy(append(zones, good), nil); !errors.Is(err, ErrPolicy) {
		t.Errorf("one more: %v", err)
	}
	if _, err := NewPolicy([]Zone{good, good}, nil); !errors.Is(err, ErrPolicy) {
		t.Errorf("a zone twice: %v", err)
	}
	if _, err := NewPolicy(nil, []Right{"x"}); !errors.Is(err, ErrPolicy) {
		t.Errorf("outside: %v", err)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const z = `{"id":"z","bounds":{"min":[0,0,0],"max":[1,1,1e0]},"classification":"public","default":[]}`
	p, err := Parse([]byte(`{"zones":[` + z + `],"outside":["spatial:read"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Decide(Who{}, bounds.Point{}, Read); got.Allowed {
		t.Error("an empty default gives nothing, not what is usual")
	}
	for name, in := range map[string]string{
		"empty":          ``,
		"no zones":       `{}`,
		"null":           `{"zones":null}`,
		"two numbers":    strings.Replace(`{"zones":[`+z+`]}`, "[0,0,0]", "[0,0]", 1),
		"four numbers":   strings.Replace(`{"zones":[`+z+`]}`, "[0,0,0]", "[0,0,0,0]", 1),
		"text as number": strings.Replace(`{"zones":[`+z+`]}`, "[0,0,0]", `["0",0,0]`, 1),
		"unknown member": strings.Replace(`{"zones":[`+z+`]}`, `"id"`, `"owner":"eve","id"`, 1),
		"other case":     strings.Replace(`{"zones":[`+z+`]}`, `"default"`, `"Default"`, 1),
		"null default":   strings.Replace(`{"zones":[`+z+`]}`, `[]}`, `null}`, 1),
		"twice":          `{"zones":[` + z + `,` + z + `]}`,
		"too long":       `{"zones":[` + z + `]}` + strings.Repeat(" ", MaxPolicy),
	} {
		if _, err := Parse([]byte(in)); !errors.Is(err, ErrPolicy) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// policies draws zones on a small grid, so that they nest and touch.
func policies(t *rapid.T) []Zone {
	set := rapid.SliceOfNDistinct(rapid.SampledFrom(rights), 0, 3, func(r Right) Right { return r })
	grants := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), set, 0, 3)
	var zones []Zone
	for i := range rapid.IntRange(0, 6).Draw(t, "zones") {
		z := Zone{ID: fmt.Sprint(i), Class: rapid.SampledFrom(classes).Draw(t, "class"), Roles: grants.Draw(t, "roles"), Agents: grants.Draw(t, "agents")}
		for d := range z.Bounds.Min {
			lo := rapid.IntRange(0, 4).Draw(t, "min")
			z.Bounds.Min[d], z.Bounds.Max[d] = float64(lo), float64(lo+rapid.IntRange(0, 4).Draw(t, "size"))
		}
		if rapid.Bool().Draw(t, "default") {
			d := set.Draw(t, "rights")
			z.Default = &d
		}
		zones = append(zones, z)
	}
	return zones
}

func someone(t *rapid.T) Who {
	names := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	return Who{names.Draw(t, "agent"), rapid.SliceOfN(names, 0, 2).Draw(t, "who's roles")}
}

func place(t *rapid.T, name string) bounds.Point {
	var p bounds.Point
	for i := range p {
		p[i] = rapid.Float64Range(-1, 9).Draw(t, name)
		if rapid.Bool().Draw(t, "on the grid") {
			p[i] = math.Round(p[i])
		}
	}
	return p
}

func mustPolicy(t *rapid.T, zones []Zone) *Policy {
	p, err := NewPolicy(zones, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSmallestZoneDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zones, at := policies(t), place(t, "at")
		got := mustPolicy(t, zones).Decide(someone(t), at, Read)
		least, inside := math.Inf(1), false
		var decided float64
		for _, z := range zones {
			if z.Bounds.Contains(at) {
				inside = true
				least = min(least, z.Bounds.Volume())
			}
			if z.ID == got.Zone {
				decided = z.Bounds.Volume()
			}
		}
		if inside != (got.Zone != "") || inside && decided != least {
			t.Fatalf("%+v decides %v; least volume %v", got, at, least)
		}
		if got.Allowed == (got.Missing != "") {
			t.Fatalf("%+v says nothing of what is missing", got)
		}
	})
}

// A stricter classification never allows more.
func TestClassesAreALadder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zones := policies(t)
		if len(zones) == 0 {
			return
		}
		z, who, right := zones[0], someone(t), rapid.SampledFrom(rights).Draw(t, "right")
		allowed := true
		for _, class := range classes {
			z.Class = class
			now := z.decide(who, right).Allowed
			if now && !allowed {
				t.Fatalf("%s allows what a more open classification refuses", class)
			}
			allowed = now
		}
	})
}

// What DecideBox allows, Decide allows at each of its points.
func TestBoxIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, who := mustPolicy(t, policies(t)), someone(t)
		right := rapid.SampledFrom(rights).Draw(t, "right")
		a, b := place(t, "corner"), place(t, "corner")
		var region bounds.Box
		for i := range a {
			region.Min[i], region.Max[i] = min(a[i], b[i]), max(a[i], b[i])
		}
		if !p.DecideBox(who, region, right).Allowed {
			return
		}
		for range 20 {
			var at bounds.Point
			for i := range at {
				at[i] = rapid.Float64Range(region.Min[i], region.Max[i]).Draw(t, "inside")
			}
			if got := p.Decide(who, at, right); !got.Allowed {
				t.Fatalf("the region %v is allowed, its point %v is not: %+v", region, at, got)
			}
		}
	})
}

func TestOrderAndTextDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zones := policies(t)
		p := mustPolicy(t, zones)
		other := mustPolicy(t, rapid.Permutation(zones).Draw(t, "order"))
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := other.Encode(); err != nil || !bytes.Equal(text, again) {
			t.Fatalf("order matters: %s, %s, %v", text, again, err)
		}
		read, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		who, at := someone(t), place(t, "at")
		for _, right := range rights {
			if p.Decide(who, at, right) != read.Decide(who, at, right) {
				t.Fatal("decides differently after it was written and read")
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"zones":[{"id":"z","bounds":{"min":[0,0,0],"max":[1,1,1]},"classification":"public"}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := Parse(in)
		if err != nil {
			if !errors.Is(err, ErrPolicy) {
				t.Fatal(err)
			}
			return
		}
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err != nil {
			t.Fatalf("does not read itself: %v", err)
		}
		p.Decide(Who{"a", []string{"b"}}, bounds.Point{}, Read)
	})
}

func FuzzParseMemory(f *testing.F) {
	f.Add("mem://zone/house")
	f.Fuzz(func(t *testing.T, in string) {
		id, err := ParseMemory(in)
		if (err == nil) != (id != "") || err == nil && Memory(id) != in {
			t.Fatalf("%q is read as %q, %v", in, id, err)
		}
	})
}
