home "Birch Road 9" {
  time_zone: "Europe/Helsinki"

  device hall_motion   { platform: zigbee; ieee: "0x00158d0004a1b2c3"; type: occupancy; timeout: 90s }
  device hall_lamp     { platform: zigbee; ieee: "0x000b57fffe3a9f10"; type: light; min_brightness: 3; transition: 0.8s }
  device front_door    { platform: zwave; node: 12; type: lock; auto_lock: 5min }
  device heat_pump     { platform: modbus; host: "192.168.1.40"; slave: 3; type: climate; min_temp: 16; max_temp: 25; target: 20.5 }
  device spot_price    { platform: rest; resource: "https://power.example/fi/now"; value: "$.price"; unit: "c/kWh"; scan_interval: 15m }

  mode: "home"
  modes: ["home", "away", "night"]

  automation hall_light_at_night {
    alias: "Dim hall light at night"
    trigger: [{ platform: state, entity: hall_motion, to: "on" }]
    condition: [{ mode: "night" }]
    action: [
      hall_lamp.turn_on { brightness: 12%, color_temp: 2200K },
      { delay: 2m },
      hall_lamp.turn_off
    ]
  }

  automation cheap_heat {
    if spot_price < 4.0 and mode != "away" {
      heat_pump.set(target: 22)
    } else if spot_price > 18 {
      heat_pump.set(target: 19)
    }
    at_most once per 30min
  }

  script goodnight {
    front_door.lock()
    all(light).off(transition: 4s)
    mode = "night"
    notify("phone_anna", title: "Good night", message: "Door locked at ${now | time}")
  }

  scene "Film" { hall_lamp: { on: true, brightness: 8, rgb: [255, 120, 40] }, heat_pump: { target: 21 } }

  person "anna" { tracker: "phone_anna"; home_zone: { lat: 60.1699, lon: 24.9384, radius: 80m } }
}

@test { name: "the lamp burns at 12 percent after motion at night"; setup: { home.mode = "night"; hall_motion.state = "on" }; assert: { hall_lamp.brightness == 12 } }
@test { name: "cheap power heats"; setup: { spot_price.value = 3.2 }; assert: { heat_pump.target == 22 } }
@test { name: "the goodnight script changes the mode"; setup: { home.goodnight() }; assert: { home.mode == "night" } }
