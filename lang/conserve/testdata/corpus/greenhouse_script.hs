object "bed 3" {
  state moisture: number = 40
  state pump: boolean = false
  code: '''
    water when the bed is dry,
    never at noon
  '''
  function dry(n) { state.moisture -= n  if state.moisture < 30 { emit "dry" } }
}
object "pump" {
  on bed.message("dry", m) { run(8) }
  state { litres: 0 }
  function run(n) { state.litres += n }
}
connect "bed 3".dry to pump.run(5)
execute pump.run(1) every 6h
