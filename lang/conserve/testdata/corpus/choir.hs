object "conductor" {
  state { beat: 0, tempo: 72 }
  function beat() { state.beat += 1; emit("beat", state.beat) }
  on baton.move("up", speed) { state.tempo = clamp(state.tempo + speed, 40, 160) }
}
object "sopranos" { state { sung: 0 } on conductor.message("beat", n) { if n % 4 == 1 { state.sung += 1 } } }
object "basses" { state { sung: 0 } on conductor.event("beat", n) { state.sung += 1 } }
execute conductor.beat() every 833ms
@test { name: "basses sing each beat" setup: { conductor.beat(); conductor.beat() } assert: { basses.state.sung == 2 } }
