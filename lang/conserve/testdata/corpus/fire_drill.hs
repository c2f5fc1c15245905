object "panel" {
  state { armed: true, zone: 0 }
  function smoke(zone) { if state.armed { state.zone = zone  emit("alarm:fire", zone) } }
  function silence() { state.zone = 0 }
}
object "sirens" {
  state { loud: false, zone: 0 }
  on panel.alarm("alarm:fire", z) { state.loud = true; state.zone = z }
  on_event("hush") { state.loud = false }
}
object "doors" { state { locked: true }  on panel.message("alarm:fire") { state.locked = false } }
execute panel.smoke(3) after 4s
@test { name: "smoke unlocks the doors" setup: { panel.smoke(2) } assert: { doors.state.locked == false, sirens.state.zone == 2 } }
