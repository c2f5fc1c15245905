// The twin of a filling line: stations as machines, wires between them, a count of bottles.
// targets: all
object "filler" @wot_thing @sensor {
  geometry: "cylinder"
  radius: 0.3
  height: 1
  position: [-1.6, 0.5, 0]
  color: "#5a7fa0"

  state {
    filled: 0
    tank: 12
  }

  function fill() {
    if (state.tank <= 0) {
      emit("empty")
      return
    }
    state.tank -= 1
    state.filled += 1
    emit("bottle", { n: state.filled, ok: state.filled % 5 != 0 })
  }

  state_machine {
    initial: "ready"
    states: { ready: { on_empty: -> "dry" }, dry: { on_refilled: -> "ready", on_entry: call_help } }
  }

  function call_help() {
    emit("help", { where: "filler" })
  }

  function refill() {
    state.tank = 12
    emit("refilled")
  }
}

object "camera" @iot_sensor(device_id: "cam-1") @confidence_map {
  geometry: "box"
  size: [0.3, 0.3, 0.3]
  position: [0, 1.1, 0]
  color: "#303030"

  state {
    seen: 0
    bad: 0
  }

  function look(event) {
    state.seen += 1
    if (event.ok) emit("good", event)
    else {
      state.bad += 1
      emit("bad", event)
    }
  }
}

object "packer" @actuator {
  geometry: "box"
  size: [0.8, 0.8, 0.8]
  position: [1.6, 0.4, 0]
  color: "#a08a5a"

  state {
    crate: 0
    crates: 0
  }

  function pack(event) {
    state.crate += 1
    if (state.crate == 6) {
      state.crate = 0
      state.crates += 1
      emit("crate", { n: state.crates })
    }
  }
}

object "bin" {
  geometry: "cylinder"
  radius: 0.25
  height: 0.5
  position: [0.4, 0.25, 0.9]
  color: "#7a3030"

  state {
    bottles: 0
  }
}

object "belt" @static {
  geometry: "box"
  size: [4.4, 0.1, 0.5]
  position: [0, 0.05, 0]
  color: "#444444"
}

connect filler.bottle -> camera.look()

connect camera.good -> packer.pack()

connect camera.bad -> bin.state.bottles = bin.state.bottles + 1 as "rejects"

connect filler.help -> filler.refill()

execute filler.fill() every 250ms

@test {
  name: "every fifth bottle goes to the bin"
  setup: {
    step(2.4s)
  }
  assert: {
    filler.state.filled == 10
    bin.state.bottles == 2
    packer.state.crates == 1
  }
}

@test {
  name: "an empty tank calls for help and is filled"
  setup: {
    step(4s)
  }
  assert: {
    filler.state.filled > 12
    filler.current_state == "ready"
  }
}
