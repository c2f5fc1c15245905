agent "Dungeon Master" @llm @narrator {
  provider: "local"
  model: "storyteller-8b"
  temperature: 0.95
  top_p: 0.9
  stop: ["###"]

  persona: {
    name: "Old Marrow"
    traits: ["dry wit", "fair", "never kills a player without warning"]
    backstory: "A retired crypt keeper who has seen four hundred parties come and nine leave."
    knowledge: ["lore/crypt.md", "lore/factions.md"]
  }

  world {
    turn: 1
    room: "gate"
    torches: 3
    party: [
      { name: "Isolde", class: "cleric", hp: 14 },
      { name: "Pike", class: "rogue", hp: 11 },
    ]
  }

  function roll(sides: int, times = 1, bonus = 0) {
    let total = bonus
    for (let i = 0; i < times; i++) { total += random_int(1, sides) }
    return total
  }

  function check(skill, dc = 12) { return roll(20) + skill >= dc }

  rooms {
    gate   { exits: [hall], danger: 0, description: "Iron teeth, half raised." }
    hall   { exits: [gate, crypt], danger: 2, trap: { dc: 14, damage: "2d6" } }
    crypt  { exits: [hall], danger: 5, boss: "The Pale Abbot", loot: ["silver key", "psalter"] }
  }

  on player.says -> (text) {
    const reply = await generate({
      context: [world, rooms[world.room], memory.recent(6)],
      instruction: `Narrate what happens when the party says: ${text}. At most 80 words.`,
      json: { narration: "string", damage: "number?", move_to: "string?" }
    })
    if (reply.move_to in rooms[world.room].exits) { world.room = reply.move_to; world.turn += 1 }
    if (world.turn % 10 == 0) { world.torches -= 1 }
    speak(reply.narration)
  }

  memory: { type: "summary", every: 8, keep: 40, persist: "saves/marrow.json" }
  safety: { rating: "teen", avoid: ["gore", "torture"], veto_word: "raven" }
}

@test { name: "the party starts at the gate with three torches"; assert: { DungeonMaster.world.room == "gate"; DungeonMaster.world.torches == 3 } }
