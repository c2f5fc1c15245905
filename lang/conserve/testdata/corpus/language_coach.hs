agent "Parla" {
  identity { name: "Parla" version: "5.0.0" capability_tags: ["italian", "speech"] }
  greeting: '''Buongiorno! Un caffè prima?'''
  rules:
    - "speak slowly"
    - "repeat, then correct"
  state_machine { initial: "warm up" states: { "warm up": {}, drill: {}, praise: {} }
    transition "warm up" -> "drill" { on: "ready" }
    transition "drill" -> "praise" { on: "right" guard: enough }
    transition "praise" -> "drill" { after: 5s } }
  state { right: 0 }
  function enough() { return state.right >= 3 }
  on answer => (a) { state.right += a.correct ? 1 : 0 }
}
