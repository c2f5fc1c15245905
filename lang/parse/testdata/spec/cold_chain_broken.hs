object "probe" { function sample() { emit("breech", { celsius: 9 }) } }
connect probe.breach -> horn.sound("high")
execute probe.sample() every 2 secs
pipeline "Cold chain" {
  schedule: "every now and then"
  source Crates { type: "rest" endpoint: "${env.CRATE_API}" }
  transform Shape { crate.id -> : trim() }
  validate Checks { id: required, strnig }
  branch Route { default -> sink Archiv }
 sink Archive { type: "filesystem" }
}
