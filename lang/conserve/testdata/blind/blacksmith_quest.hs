quest "The Broken Anvil" {
  id: "q_anvil"
  giver: "Hedda"
  level: 4
  repeatable: false

  objectives {
    find_ore: collect("star_iron", 6)
    clear_mine: kill("cave_crawler", 3) optional
    return_to: talk("Hedda")
  }

  rewards {
    gold: 120
    xp: 350
    items: [{ id: "hammer_of_embers", count: 1 }]
    reputation: { smiths_guild: +15, thieves: -5 }
  }

  fails_if { Hedda.dead || world.day > 12 }
}

npc "Hedda" @merchant @dialogue {
  position: [24, 0, -3]
  schedule {
    "07:00": { go: "forge", animation: "hammering" }
    "13:00": { go: "inn" }
    "21:00": { go: "home", animation: "sleep" }
  }

  shop {
    currency: "gold"
    restock: 1 day
    "iron_sword": { price: 45, stock: 3 }
    "horseshoe": { price: 4, stock: 20 }
    discount: quest("q_anvil").done ? 0.15 : 0
  }

  state { friendship: 10, told: false }

  dialogue "forge_talk" {
    start {
      Hedda: "Mind the sparks. What do you need?"
      choice "Your anvil is cracked." { next: "anvil", require: !quest("q_anvil").started }
      choice "I have the ore." { next: "turn_in", require: inventory.count("star_iron") >= 6 }
      choice "Show me your wares." { on_choose { shop.open() } }
      choice "Nothing." { next: "end" }
    }

    anvil {
      Hedda: "Cracked by frost. Bring me six lumps of star iron."
      on_enter { state.told = true; quest("q_anvil").start(); state.friendship += 5 }
      choice "I will." { next: "end" }
      choice "What's in it for me?" { next: "haggle", persuade: 8 }
    }

    haggle {
      Hedda: "A hundred and twenty, and my old hammer."
      next: "end"
    }

    turn_in {
      Hedda: "By the bellows, that's the stuff!"
      on_enter { inventory.remove("star_iron", 6); quest("q_anvil").complete(); sfx("anvil_ring.ogg", 0.8) }
      next: "end"
    }
  }
}

@test {
  name: "offering help starts the quest and pleases Hedda"
  setup: { Hedda.talk("forge_talk"); Hedda.choose("Your anvil is cracked.") }
  assert: { Hedda.state.told; Hedda.state.friendship == 15 }
}
@test {
  name: "the reward is 120 gold"
  assert: { quest("q_anvil").rewards.gold == 120 }
}
