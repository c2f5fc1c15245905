// A help desk of agents: skills, goals, servers of tools, paths for callers.
// targets: all
mcp_server "tickets" {
  command: "ticket-server"
  args: ["--stdio"]
}

http "ask" {
  path: "/ask"
  method: "POST"
  description: "Ask a question."
  handler: counter.ask
}

route "answer" {
  path: "/answers/{id}"
  method: "GET"
  description: "One answer."
}

agent "desk" {
  description: "Answers what it can and hands over the rest."

  capabilities {
    streaming: false
    languages: ["en", "de"]
  }

  goal "quick" {
    within: 60s
  }

  skill "answer" {
    description: "Answers from the handbook."
  }

  tool "search" {
    description: "Searches the handbook."
  }
}

npc "clerk" @agent @dialogue @tool(name: "search") @memory {
  geometry: "capsule"
  radius: 0.2
  height: 0.6
  position: [0, 0.6, 0]
  color: "#4a6fa5"

  state {
    open: []
    answered: 0
    handed: 0
  }

  function busy() {
    return state.open.length > 0
  }

  function answer() {
    const question = state.open.shift()
    if (question.hard) {
      state.handed += 1
      emit("handed_over", { id: question.id })
      return
    }
    state.answered += 1
    emit("answered", { id: question.id })
  }

  function idle() {
    return true
  }

  on "asked"(q) {
    state.open.push(q)
  }

  behaviour_tree {
    tick_rate: 4
    root: selector {
      children: [
        sequence {
          children: [
            condition {
              check: busy()
            }
            action {
              call: answer
            }
          ]
        }
        action {
          call: idle
        }
      ]
    }
  }
}

object "counter" {
  geometry: "box"
  size: [2, 0.9, 0.5]
  position: [0, 0.45, 0.6]
  material: "wood"

  state {
    tickets: 0
  }

  function ask(hard) {
    state.tickets += 1
    emit("asked", { id: state.tickets, hard })
  }
}

connect counter.asked -> clerk.asked()

test "by hand" {
  steps: ["ask", "wait", "read"]
}

@test {
  name: "easy questions are answered, hard ones handed over"
  setup: {
    emit("clerk.asked", { id: 1, hard: false })
    emit("clerk.asked", { id: 2, hard: true })
    step(2s)
  }
  assert: {
    clerk.state.answered == 1
    clerk.state.handed == 1
    clerk.state.open.length == 0
  }
}
