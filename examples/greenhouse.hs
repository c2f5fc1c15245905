// A greenhouse that waters itself: nodes, wires, an agent and a tree of tasks.
// targets: all
object "soil" {
  state {
    moisture: 0.4
    dry: false
  }

  function sample() {
    let before = state.moisture, now = clamp(before - random() * 0.1, 0, 1)
    state.moisture = now
    state.dry = now < 0.2
    if (state.dry) {
      emit("dry", { moisture: now })
    } else emit("sampled")
  }

  watch {
    dry: (now, before) => track_event("dry", { now, before: before })
  }
}

object "valve" {
  state phase: string = "shut"
  rate: 2.5
  maximum: number = 9

  action open(seconds: number = 30, reason?: string): boolean {
    try {
      state.phase = "open"
      await wait(seconds)
    } catch (err) {
      log "valve stuck: " + (err.message ?? "no reason")
      return false
    } finally {
      state.phase = "shut"
    }
    return true
  }

  <io: read> get open_now() => state.phase == "open"
}

npc "gardener" @llm_agent(model: "stub", tools: [water, report]) {
  state {
    seen: 0
  }

  goals: ["keep the soil moist", "waste no water"]
  memory: { size: 20, decay: 0.1 }

  behavior_tree {
    root: sequence {
      children: [
        condition {
          check: soil.state.dry
        }
        selector {
          children: [
            action {
              call: valve.open
            }
            action {
              call: report
            }
          ]
        }
      ]
    }
  }
}

connect soil.dry -> valve.open(20) as "water"

connect soil.sampled -> gardener.state.seen = event.moisture

execute soil.sample() every 10s

execute gardener.think() after 1min
