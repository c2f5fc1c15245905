// A shopkeeper with moods: a machine for the mood, a tree for the work, memory of who came.
// targets: all
object "shelf" {
  geometry: "box"
  size: [2, 1.2, 0.4]
  position: [0, 0.6, -1]
  material: "wood"

  state {
    loaves: 2
  }

  function take(): boolean {
    if (state.loaves <= 0) return false
    state.loaves -= 1
    return true
  }

  function bake(n) {
    state.loaves += n
    emit("baked", { n })
  }
}

npc "keeper" @ai_npc @dialogue @emotion @emotional_voice @voice_output @memory @perception {
  geometry: "capsule"
  radius: 0.25
  height: 1.2
  position: [0, 0.85, 0]
  color: "#c08a60"
  personality: "warm, a little tired"
  description: "Sells bread and remembers faces."

  state {
    guests: []
    sales: 0
    asked: 0
  }

  goals: ["sell what is fresh", "greet everybody by name"]
  memory: { size: 50, decay: 0.05 }
  perception: { radius: 4m, sees: ["visitor"] }

  function fresh() {
    return shelf.state.loaves > 0
  }

  function waiting() {
    return state.asked > 0
  }

  function sell() {
    if (!shelf.take()) return false
    state.asked -= 1
    state.sales += 1
    emit("sold")
    return true
  }

  function bake() {
    shelf.bake(1)
  }

  function rest() {
    return true
  }

  on "visitor"(e) {
    state.asked += 1
    if (!state.guests.includes(e.name)) {
      state.guests.push(e.name)
      emit("greet", { text: `Good morning, ${e.name}` })
    }
  }

  state_machine {
    initial: "calm"
    states: {
      calm: { on_visitor: -> "busy" guard(waiting) }
      busy: { on_sold: -> "calm" guard(rest), after: 4s, on_timeout: -> "cross" }
      cross: { on_sold: -> "calm", after: 10s, on_timeout: -> "calm" }
    }
  }

  behavior_tree {
    tick_rate: 1
    root: selector {
      children: [
        sequence {
          children: [
            condition {
              check: waiting()
            }
            condition {
              check: fresh()
            }
            action {
              call: sell
            }
          ]
        }
        sequence {
          children: [
            condition {
              check: waiting()
            }
            wait {
              duration: 3s
            }
            action {
              call: bake
            }
          ]
        }
        action {
          call: rest
        }
      ]
    }
  }
}

@test {
  name: "a guest is greeted once and served"
  setup: {
    emit("keeper.visitor", { name: "Ada" })
    step(2s)
    emit("keeper.visitor", { name: "Ada" })
    step(2s)
  }
  assert: {
    keeper.state.guests.length == 1
    keeper.state.sales == 2
    shelf.state.loaves == 0
  }
}

@test {
  name: "when the bread is gone, the keeper bakes and gets cross in between"
  setup: {
    emit("keeper.visitor", { name: "Ada" })
    emit("keeper.visitor", { name: "Ben" })
    emit("keeper.visitor", { name: "Cem" })
    step(12s)
  }
  assert: {
    keeper.state.sales == 3
    keeper.state.guests[2] == "Cem"
  }
}
