// First-line support: classify, answer what we can, hand over the rest.
agent "Triage" {
  identity {
    name: "Robin"
    role: "First-line support for a bicycle rental"
    tone: "friendly, short sentences"
    languages: ["en", "nl"]
  }

  model: "chat-large"
  temperature: 0.2
  max_tokens: 600

  system_prompt: """
    You answer riders of Velo Rental.
    Never promise a refund above 25 euro.
    If the rider is hurt, escalate at once.
  """

  tools {
    lookup_rental(rental_id: string): Rental {
      description: "Find a rental by its number"
      endpoint: "GET https://api.velo.example/rentals/{rental_id}"
      timeout: 4s
    }
    refund(rental_id: string, amount: number) {
      description: "Pay money back to the rider"
      requires_approval: amount > 10
      limit: 25
    }
    open_ticket(summary: string, priority: "low" | "normal" | "urgent")
  }

  memory {
    short_term: { kind: "buffer", turns: 12 }
    long_term: { kind: "vector", store: "sqlite://triage.db", top_k: 4, min_score: 0.72 }
  }

  state {
    open: 0
    escalated: 0
    refunded: 0
  }

  on "message" (msg) {
    const intent = classify(msg.text, ["lost_bike", "refund", "injury", "other"])

    switch (intent) {
      case "injury":
        state.escalated += 1
        emit("escalate", { to: "oncall", text: msg.text, priority: "urgent" })
        break
      case "refund":
        const rental = lookup_rental(msg.rental)
        if (rental.minutes < 5) {
          refund(msg.rental, 4.5)
          state.refunded += 4.5
        }
        break
      default:
        state.open += 1
        reply(msg, think(msg.text))
    }
  }

  guardrails {
    forbid: ["credit card numbers", "legal advice"]
    max_cost_per_day: 3.50 USD
    rate_limit: 20/min
    on_violation: "refuse_politely"
  }
}

@test {
  name: "an injury is escalated and leaves no open ticket"
  mock: { classify: "injury" }
  setup: { emit("Triage.message", { text: "I fell and my arm hurts" }) }
  assert: {
    Triage.state.escalated == 1
    Triage.state.open == 0
  }
}

@test {
  name: "a very short rental is refunded"
  mock: { classify: "refund", lookup_rental: { minutes: 3 } }
  setup: { emit("Triage.message", { text: "the lock was broken", rental: "R-118" }) }
  assert: { Triage.state.refunded == 4.5 }
}
