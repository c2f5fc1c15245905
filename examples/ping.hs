#!/usr/bin/env -S meshd lang run
// targets: all
// Two nodes and one wire.
object "clock" {
  function tick() {
    emit("beat")
  }
}

object "bell" {
  function ring(times) {
    for (let i = 0; i < times; i++) print "ding"
  }
}

connect clock.beat -> bell.ring(2)

execute clock.tick() every 1s
