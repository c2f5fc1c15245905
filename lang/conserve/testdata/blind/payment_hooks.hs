http "payments" on 9443 tls("certs/pay.pem", "certs/pay.key") {

  use logger(level: "warn")
  use body_limit(256kb)
  use verify_signature(header: "X-Pay-Signature", secret: env("PAY_SECRET"), algorithm: "hmac-sha256", tolerance: 300s)

  store ledger { engine: "sqlite", file: "data/ledger.db", table: "events", unique: ["event_id"] }
  queue receipts { driver: "redis", url: env("REDIS_URL", "redis://localhost:6379/2"), visibility: 45s, dead_letter_after: 5 }

  counters { accepted: 0, duplicates: 0, refused: 0 }

  route "POST /hooks/charge" {
    idempotency_key: body.event_id
    on_request(body) {
      try {
        switch (body.type) {
          case "charge.succeeded":
            ledger.insert({ event_id: body.event_id, cents: body.amount, kind: "in" })
            receipts.push({ to: body.email, amount: body.amount / 100 })
            counters.accepted += 1
            respond(200, { received: true })
            break
          case "charge.refunded":
            ledger.insert({ event_id: body.event_id, cents: -body.amount, kind: "out" })
            respond(200, { received: true })
            break
          default:
            counters.refused += 1
            respond(422, { error: "unknown event type", type: body.type })
        }
      } catch (e) {
        if (e.kind == "UniqueViolation") { counters.duplicates += 1; respond(200, { received: true, duplicate: true }) }
        else { log.error(e); respond(500) }
      }
    }
  }

  route "GET /balance" { respond: { cents: ledger.sum("cents") } }
  route "GET /metrics" { as: "prometheus", prefix: "pay_" }

  worker "mailer" consumes receipts concurrency 3 {
    retry: [5s, 30s, 5m]
    send_mail(template: "receipt_v2", to: job.to, vars: { amount: job.amount, currency: "EUR" })
  }
}

@test "a charge is booked" {
  when: payments.post("/hooks/charge", { event_id: "e1", type: "charge.succeeded", amount: 1250, email: "k@example.org" })
  then: { response.status == 200; payments.ledger.sum("cents") == 1250; payments.counters.accepted == 1 }
}

@test "an unknown type is refused" {
  when: payments.post("/hooks/charge", { event_id: "e2", type: "charge.pending", amount: 10 })
  then: { response.status == 422; payments.counters.refused == 1 }
}
