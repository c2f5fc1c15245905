node drone {
    type: "quadcopter"
    frame: "map"
    mass: 2.4kg
    max_payload: 1.2kg
    cruise_speed: 11 m/s
    ceiling: 120m

    topic "/drone/state" { pub: DroneState, rate: 10Hz }
    topic "/drone/mission" { sub: Mission, call: on_mission }
    topic "/gps/fix" { sub: NavSatFix, qos: "best_effort", call: on_fix }

    param return_battery = 25
    param descent_rate = 1.5

    state {
        mode: "grounded"
        battery: 100
        parcel: null
        legs: 0
    }

    machine flight {
        grounded -> takeoff   on mission    if battery > 40
        takeoff  -> cruise    on altitude   when altitude >= 40
        cruise   -> deliver   on arrived
        cruise   -> returning on low_battery
        deliver  -> returning on released   / { legs += 1; parcel = null }
        returning -> grounded on touchdown
        any      -> emergency on motor_fault / { deploy_parachute() }
    }

    fn on_mission(m) {
        state.parcel = m.parcel
        if (m.parcel.weight > 1.2) { reject(m, "too heavy"); return }
        plan = route(from: home, to: m.target, avoid: ["no_fly.geojson"], altitude: 40)
        fire(mission)
    }

    fn on_fix(fix) {
        state.battery -= 0.02
        if (state.battery < return_battery && flight.in("cruise")) fire(low_battery)
    }

    watchdog { link_loss: 8s, action: "return_home" }
    geofence { center: [47.3769, 8.5417], radius: 6km, breach: "land" }
    camera down { resolution: [640, 480], fps: 15, marker: "aruco_4x4", id: 17 }
}

@test {
    name: "stays on the ground with a weak battery"
    setup: { drone.state.battery = 30; drone.on_mission({ parcel: { weight: 0.8 }, target: [47.38, 8.55] }) }
    assert: { drone.flight.current == "grounded" }
}

@test {
    name: "a heavy parcel is rejected"
    setup: { drone.on_mission({ parcel: { weight: 1.9 }, target: [47.38, 8.55] }) }
    assert: { drone.flight.current == "grounded", drone.state.legs == 0 }
}
