agent "Digest" {
  identity { name: "Morning digest" version: "2.0.0" capability_tags: ["news", "summary"] description: "Sends five headlines." }
  memory { keep: 30 }
  state { sent: 0 }
  skills:
    - "summarise"
    - "translate"
  on_message(m) { state.sent += 1; reply("Five lines about " + m) }
  state_machine { initial: "idle" states: { idle: {}, reading: {}, writing: {} }
    transition "idle" -> "reading" { on: "clock" }
    transition "reading" -> "writing" { on: "enough" guard: ready }
    transition "writing" -> "idle" { on: "sent" } }
  function ready() { return state.sent < 5 }
}
