npc "Guard" {
    model: "guard.glb"
    health: 100
    speed: { walk: 1.4, run: 4.2 }
    sight: { range: 14, angle: 110 }
    hearing: 8

    blackboard {
        target: null
        last_seen: [0, 0, 0]
        patrol_index: 0
        alarm: false
    }

    waypoints: [[0, 0, 0], [12, 0, 0], [12, 0, 9], [0, 0, 9]]

    behavior_tree "Main" {
        selector {
            sequence "Flee" {
                condition { health < 20 }
                action "run_to" { to: "barracks", speed: "run" }
                action "call_for_help" { radius: 20 }
            }

            sequence "Engage" {
                condition { can_see(player) }
                set alarm = true
                parallel(policy: "any") {
                    action chase(player, stop_at: 1.5)
                    repeat { action shout("Halt!"); cooldown 4s }
                }
                attack { damage: 8, range: 1.8, interval: 1.1s }
            }

            sequence "Search" {
                condition { alarm && !can_see(player) }
                goto last_seen
                look_around { turns: 3, pause: 0.8s }
                timeout 12s { set alarm = false }
            }

            sequence "Patrol" {
                move_to { point: waypoints[patrol_index], speed: "walk", tolerance: 0.4 }
                wait 2.5s
                invert { condition { alarm } }
                set patrol_index = (patrol_index + 1) % 4
            }
        }
    }

    on damage(amount, from) {
        health -= amount
        blackboard.target = from
        if (health <= 0) { play_animation("die"); emit("dead", { by: from }) }
    }
}

@test "damage hurts" {
    setup { Guard.damage(30, "player") }
    assert Guard.health == 70
}

@test "nobody raised the alarm yet" { assert Guard.blackboard.alarm == false }
