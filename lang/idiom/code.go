package idiom

func init() { Rows = append(Rows, code...) }

// code are the habits of what runs: tests, names, calls.
var code = []Row{
	{"X31", "tests as blocks and sentences: `@test \"adds\" { … assert n == 2 }`, `test \"adds\" { }`, `describe \"x\" { before_each { } it \"adds\" { } }`, `given`, `when`, `then`, `mock`, `expect(n).toBe(2)`, `expect n to be 2`, `assert_eq(n, 2)`, `advance 10s`, `click(\"Door\")`",
		"a @test; what is asked in the midst is asked there", "", ""},
	{"X32", "values that stand in a body and are no state: settings and parameters of a module, `mutable { }`, `config { }`, blocks of data by name, `derived { }`, `get room() { }`, names with spaces without them (`DungeonMaster`), `const ada = Account(owner: \"Ada\")`",
		"cells of the owner with these first values; computed values; the owner", "", ""},
	{"X33", "operations by their bare names: `abs(x)`, `round(x, 2)`, `max(list)`, `sum(list)`, `range(0, 3)`, `xs.sum(x => x.price)`, `xs.unique()`, `n.clamp(0, 5)`",
		"those of Math and of lists", "", ""},
	{"X34", "a machine asked by its name: `Door.lock.current`, `Door.lock.is(\"shut\")`, `Door.matches(\"running.fill\")`, `Door.send(\"open\")`; a time of a state by a name or an expression",
		"its state, an event at its owner", "", ""},
	{"X35", "structs and classes as values: `Vec3(1, 2, 3)`, `new Tariff(day: 3)`, their methods and getters, `static up = …`",
		"objects; functions whose first parameter is this", "", ""},
	{"X36", "`@for`, `@if … @else if …`, `repeat 3 { }`, `action greet { }` and blocks of settings (`recall { query: \"…\" }`) among statements; `behavior on_start { }`; `broadcast \"x\", { … }`",
		"loops, conditions, calls; a handler", "", ""},
	{"X37", "sentences before the first item of a file, as agents begin with their prompt", "a comment", "", ""},
}
