// A guard that walks a round: a behaviour tree with a selector and decorators.
// targets: all
object "gate" {
  state {
    open: false
  }

  action shut() {
    state.open = false
    emit("closed")
  }
}

npc "guard" {
  state {
    tired: false
  }

  action walk() {
    move_to([4, 0, 2])
  }

  action rest() {
    state.tired = false
  }

  behavior_tree {
    tick_rate: 5

    root: selector {
      children: [
        sequence {
          children: [
            condition {
              check: gate.state.open
            }
            action {
              call: gate.shut
            }
          ]
        }
        cooldown {
          duration: 20s
          children: [
            action {
              call: rest
            }
          ]
        }
        repeater {
          times: 3
          children: [
            action {
              call: walk
            }
          ]
        }
      ]
    }
  }

  on "closed" {
    state.tired = true
  }
}

connect gate.closed -> guard.rest()
