/** Orders of two shops, brought into one form, checked and sent where they belong. */
// targets: all
pipeline "Orders" {
  schedule: "*/10 * * * *"
  timeout: 45s
  description: "Merges the orders of the shop and of the market."

  retry {
    max: 4
    backoff: "exponential"
    delay: 2s
    max_delay: 1min
  }

  params {
    currency: "EUR"
    large: 500
  }

  source Shop {
    type: "rest"
    endpoint: "${env.SHOP_API}"
    schema: { number: "string", total: "number", mail: "string", lines: "list" }
  }

  source Market {
    type: "database"
    query: "select number, total, mail, lines from orders where sent is null"
  }

  merge Both {
    from: [Shop, Market]
    key: "number"
  }

  transform Shape {
    from: Both
    number -> id : trim() : uppercase()
    total -> amount : round(2)
    mail -> customer : trim() : lowercase() : hash()
    lines[].sku -> sku : trim()
    lines[].count -> count : parseNumber()
  }

  filter Real {
    where: amount > 0 && amount != previous.amount
  }

  validate Checks {
    id: required, string, minLength(4), maxLength(24)
    amount: required, min(0.01), max(100000)
    sku: string OR integer
    count: required, integer, gte(1)
    customer: required
  }

  on_error {
    action: "dead_letter"
    path: "out/refused.json"
  }

  branch Size {
    when amount > params.large -> sink Desk
    when count >= 20 -> sink Depot
    default -> sink Archive
  }

  sink Desk {
    type: "webhook"
    url: "${env.DESK_URL:-none}"
  }

  sink Depot {
    type: "stream"
    topic: "depot"
  }

  sink Archive {
    type: "filesystem"
    path: "out/orders.json"
  }

  receipt Daily {
    type: "stdout"
  }
}
