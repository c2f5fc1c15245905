npc "Miso" {
  geometry: sphere  radius: 0.18  position: (0.4, 0.2, -1)  color: "#c98b4e"
  personality: "sleepy, proud"
  state { mood: "asleep", pats: 0 }
  dialog "hello" {
    text: "..."
    option "Pat the cat" -> @dialog("purr")
    option "Offer fish" -> @give("fish")
    option "Leave it be" -> @close
  }
  dialog "purr" { text: "prrr"; option "Again" -> @dialog("purr"); option "Stop" -> @close }
  on hover_enter => () { state.pats += 1  state.mood = state.pats > 2 ? "awake" : "asleep" }
}
