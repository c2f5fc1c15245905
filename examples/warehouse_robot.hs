// A robot that fetches boxes: its battery, its tree of tasks, the dispatcher and the charger.
// targets: all
object "dispatcher" {
  state {
    waiting: ["A3", "B1", "C7"]
    done: []
  }

  function next(): string | null {
    if (state.waiting.length == 0) return null
    return state.waiting.shift()
  }

  function finish(shelf) {
    state.done.push(shelf)
    emit("delivered", { shelf, left: state.waiting.length })
  }
}

actor "robot" @pathfinding @kinematic {
  geometry: "box"
  size: [0.8, 0.4, 0.6]
  color: "#f0a020"

  state {
    battery: 6
    load: null
    trips: 0
    charges: 0
  }

  function empty() {
    return state.battery <= 1
  }

  function loaded() {
    return state.load != null
  }

  function charge() {
    state.battery = 6
    state.charges += 1
  }

  function fetch() {
    state.load = dispatcher.next()
    if (state.load == null) return false
    state.battery -= 1
    return true
  }

  function deliver() {
    state.battery -= 1
    dispatcher.finish(state.load)
    state.load = null
    state.trips += 1
  }

  behavior_tree {
    tick_rate: 2
    root: selector {
      children: [
        sequence {
          children: [
            condition {
              check: empty()
            }
            action {
              call: charge
            }
          ]
        }
        sequence {
          children: [
            condition {
              check: loaded()
            }
            action {
              call: deliver
            }
          ]
        }
        action {
          call: fetch
        }
      ]
    }
  }
}

object "lamp" {
  geometry: "sphere"
  radius: 0.1
  position: [0, 1, 0]
  color: "#40c040"

  state {
    blinks: 0
    last: ""
  }

  function blink(colour, event) {
    state.blinks += 1
  }
}

object "shelf A" {
  geometry: "box"
  size: [0.4, 1.6, 1.2]
  position: [-2, 0.8, 0]
  color: "#7788aa"
}

object "shelf B" {
  geometry: "box"
  size: [0.4, 1.6, 1.2]
  position: [2, 0.8, 0]
  color: "#7788aa"
}

connect dispatcher.delivered -> lamp.blink("green")

connect dispatcher.delivered -> lamp.state.last = event.shelf as "last shelf"

@test {
  name: "all boxes are delivered in order"
  setup: {
    step(6s)
  }
  assert: {
    dispatcher.state.done.length == 3
    dispatcher.state.done[0] == "A3"
    robot.state.trips == 3
    robot.state.load == null
  }
}

@test {
  name: "the lamp tells each delivery"
  setup: {
    step(6s)
  }
  assert: {
    lamp.state.blinks == 3
    lamp.state.last == "C7"
  }
}

@test {
  name: "the robot charges before it stops"
  setup: {
    step(6s)
  }
  assert: {
    robot.state.charges >= 1
    robot.state.battery > 0
  }
}
