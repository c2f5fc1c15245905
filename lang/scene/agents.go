package scene

import "slices"

// agentTraits make a node, or a composition, an agent.
var agentTraits = []string{"agent", "llm_agent", "ai_npc"}

// agentSettings say what an agent is and can do, as settings or as blocks.
var agentSettings = []string{
	"goals", "memory", "perception", "capabilities", "tools", "prompt", "description", "identity", "personality", "version", "capability_tags", "skills",
}

// agentBlocks may stand in an agent several times.
var agentBlocks = []string{"identity", "capabilities", "memory", "perception", "skill", "tool", "goal"}

// agent notes a declaration that is an agent, with what it says of itself. Who has an
// identity is one.
func (l *lowering) agent(d *decl, owner, name string) {
	kind := "agent"
	var src Src
	var fs []field
	if u, ok := d.find(agentTraits...); ok {
		kind, src, fs = u.Name, l.src(u.file, u.at), slices.Clone(u.fields())
	} else if i := slices.IndexFunc(d.domain, func(b Domain) bool { return b.Kind == "identity" }); i >= 0 {
		src = d.domain[i].Src
	} else {
		return
	}
	has := func(key string) bool { return slices.ContainsFunc(fs, func(f field) bool { return f.Key == key }) }
	for _, k := range agentSettings {
		if v := l.whole(d.value(k)); known(v) && (k != "personality" && k != "version" && k != "skills" || !has(k)) {
			fs = append(fs, field{Key: k, Value: v})
		}
	}
	for _, part := range agentBlocks {
		var all []Value
		for _, b := range d.domain {
			if b.Kind != part || !l.reserve(fieldBytes) {
				continue
			}
			v := b.Data
			if _, named := get(v, "name"); b.Name != "" && !named {
				v = mapOf(append([]field{{Key: "name", Value: textOf(b.Name)}}, v.Fields...)...)
			}
			all = append(all, v)
		}
		switch {
		case len(all) == 1:
			fs = append(fs, field{Key: part, Value: all[0]})
		case len(all) > 1:
			fs = append(fs, field{Key: part, Value: listOf(all)})
		}
	}
	l.scene.Agents = append(l.scene.Agents, Domain{Kind: kind, Name: name, Owner: owner, Data: l.kept(mapOf(fs...)), Src: src})
}
