// An agent that answers in the words of a station.
object "Cirrus" @agent(tools: ["stations", "radar"]) {
  identity { name: "Cirrus", version: "1.3.2", capability_tags: ["forecast", "alerts"] }
  state { asked: 0, last: "none" }
  "sky:clear" -> { say: "bring a hat", emit: 1 }
  "sky:grey" -> { say: "bring a coat", emit: 2 }
  on_event("question", place) {
    state.asked += 1
    state.last = place
    log `${place}: ${state.asked} questions today`
  }
  dialog "ask" {
    text: "Which day?"
    option "Tomorrow" -> @dialog("near")
    option "In a week" -> @dialog("far")
  }
}
@test { name: "questions are kept", setup: { emit("question", "Vik") }, assert: { Cirrus.state.last == "Vik" } }
