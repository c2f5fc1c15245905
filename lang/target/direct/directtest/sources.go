package directtest

var sources = map[string]string{
	"clicks.holo": `composition "Clicks" {
  state { total: 0 open: false title: "none" }
  object "knob" @clickable { geometry: "sphere"
    state { hits: 0 warm: false word: "a" by: 0 }
    on "click" (e) {
      state.hits += 1
      state.warm = state.hits > 2 && !state.open
      if (state.hits % 2 == 0) { state.word = "even " + state.hits } else if (state.hits > 3) { state.word = "many" } else { state.word = "odd" }
      state.total = state.total + state.hits * 2 - 1 / 4
      this.position = [state.hits, 1 + state.hits / 2, 0]
      this.position.y = this.position.y + 0.5
      this.color = state.warm ? "#ff0000" : "#00ff00"
      log("hits", state.hits, state.word, this.position.x, this.name)
    }
    on "nudge" (e) { let by = e.amount  state.by = state.by + by  log("by", by) }
    on "reset" { state.hits = 0  emit("done", { by: this.name, after: state.total }) }
  }
  object "lamp" { geometry: "box" text: "off"
    on knob.done -> (e) { state.open = !state.open  text = "done by " + e.by  state.title = "after ${e.after} of ${state.total}" }
    visible: $open
  }
}`,
	"clock.hs": `object "probe" {
  state { celsius: 4.0, breaches: 0, last: "" }
  function sample() {
    state.celsius = 2 + random() * 8
    if (state.celsius > 7.5) {
      state.breaches += 1
      emit("breach", { celsius: state.celsius })
    }
    note("sampled", state.breaches)
  }
  function note(what, n) { if (n == 0) { return }  state.last = what + " " + n.toFixed(2)  log(state.last) }
  function mean(a, b) { return (a + b) / 2 }
  on "ask" (e) { const m = mean(state.celsius, 10)  log(Math.max(m, 5), Math.floor(m), clamp(m, 0, 1), Math.abs(0 - m)) }
}
object "horn" { state { loud: 0 } function sound(level, event) { state.loud += 1  print level } }
object "ledger" { state { last: null, count: 0 } watch count (now, was) { log("count", now, was) } }
connect probe.breach -> horn.sound("high")
connect probe.breach -> ledger.state.last = event.celsius
execute probe.sample() every 100ms
execute horn.sound("once", null) after 300ms`,
	"door.holo": `composition "Door" {
  object "door" { geometry: "box" state { moves: 0 }
    state_machine { initial: "closed"
      states: {
        closed: { on: { open: "opening" }, entry: () => { log("closed") } }
        opening: { entry: () => { state.moves += 1  tween("position", [0, 2, 0], 0.2, "ease-in-out") }, after: 0.2, on: { timeout: "opened" } }
        opened: { exit: () => { log("leaving") }, on: { close: "closed" } }
      }
    }
    on "tap" { emit("open") }
    on "slam" { transition("closed")  move_to([0, 0, 0], 0.1) }
  }
  timeline "Night" { autoplay: true  0.1: emit "dusk"  0.3: emit "dawn" }
  state { nights: 0 phase: "day" }
  on "dusk" { state.nights += 1  state.phase = "dusk" }
  on "dawn" { 
    switch (state.phase) {
      case "dusk": state.phase = "dawn"
        break
      case "day", "night": log("never")
      default: state.phase = "day"
    }
  }
}`,
	"faults.holo": `composition "Faults" {
  state { n: 1 word: "w" seen: 0 }
  object "a" { geometry: "box"
    on "one" (e) { this.color = "#ff0000"  state.n = e.amount * 2  state.seen += 1 }
    on "two" (e) { log("before")  const x = e.at[1]  state.n = x + state.n  log("after", x) }
    on "three" (e) { if (e > 3) { state.word = "more than three" } else { state.word = "less: " + e } }
    on "four" (e) { state.n = state.n - e }
    on "five" (e) { emit("six", { of: e.buoy, twice: e.amount + e.amount }) }
    on "six" (e) { state.word = e.of + "!"  state.n = -state.n }
    on "error" (e) { log("fault: " + e.message) }
  }
}`,
	"template.holo": `composition "Row" {
  state { all: 0 }
  template "Post" { geometry: "cylinder" state { lit: false, taps: 0 }
    on "tap" { state.taps += 1  state.lit = !state.lit  all += 1  this.emissive_intensity = state.lit ? 2 : 0 }
    computed { twice: state.taps * 2 }
    on "show_it" { log(twice, state.lit and state.taps > 1, state.lit or state.taps) }
  }
  object "west" using "Post" { position: [-2, 0, 0] }
  object "east" using "Post" { position: [2, 0, 0] state { taps: 5 } }
}`,
	"update.holo": `composition "Turn" {
  object "fan" { geometry: "box" state { angle: 0, on: true, speed: 30 }
    on "update" (dt) { if (state.on) { state.angle = (state.angle + state.speed * dt) % 360  this.rotation = [0, state.angle, 0] } }
    on "click" { state.on = !state.on  if (!state.on) { hide() } else { show() } }
    on "faster" { state.speed = Math.min(state.speed + 10, 60)  set_text("at " + state.speed) }
  }
}`,
	"rest.holo": `composition "Rest" {
  state { list: [] sum: 0 }
  object "a" { state { n: 0 }
    on "add" (e) { state.list.push(e)  state.n = state.list.length  count() }
    on "walk" { for (const x of state.list) { state.sum += 1 }  state.n = state.n + 1 }
    on "late" { await wait(0.1)  state.n = -1 }
    on "safe" (e) { try { risky(e) } catch (f) { state.n = 99 } }
    function risky(e) { state.sum = state.sum + e.amount }
    function count() { state.sum = state.sum + state.n }
  }
}`,
}
