pipeline "Orders to warehouse" {
  schedule: "15 2 * * *"
  timezone: "Europe/Madrid"
  retry: { attempts: 3, backoff: "exponential", initial: 2s, max: 1m }
  concurrency: 4
  on_failure: notify("slack://#data-alerts", "Orders load failed: ${error.message}")

  source Orders {
    type: "postgres"
    connection: "${env.SHOP_DSN}"
    query: "select id, customer_email, total_cents, currency, placed_at from orders where placed_at > :since"
    params: { since: "${state.last_run}" }
    batch_size: 500
  }

  source Rates { type: "csv", path: "s3://fx/rates-latest.csv", delimiter: ";", header: true }

  dedupe ById { key: id, keep: "last" }

  filter Paid { where: total_cents > 0 && currency in ["EUR", "USD", "GBP"] }

  join WithRate {
    left: Paid
    right: Rates
    on: currency == code
    how: "left"
  }

  transform Shape {
    id -> order_id : toString() : padStart(10, "0")
    customer_email -> customer : lowercase() : hash("sha256")
    total_cents -> amount_eur : divide(100) : multiply(rate) : round(2)
    placed_at -> day : dateFormat("YYYY-MM-DD")
    drop: [code, rate]
  }

  validate Clean {
    order_id: required, string, length(10)
    amount_eur: required, float, min(0.01), max(25000)
    day: required, pattern("^\\d{4}-\\d{2}-\\d{2}$")
    on_invalid: route("Quarantine")
  }

  branch Size {
    when amount_eur >= 1000 -> BigOrders
    otherwise -> Warehouse
  }

  aggregate Daily {
    group_by: [day]
    metrics: { revenue: sum(amount_eur), orders: count(), biggest: max(amount_eur) }
  }

  sink Warehouse { type: "bigquery", table: "shop.orders", mode: "upsert", key: ["order_id"], partition_by: "day" }
  sink BigOrders { type: "webhook", url: "https://hooks.example/vip", headers: { "X-Source": "etl" } }
  sink Quarantine { type: "file", path: "quarantine/%Y%m%d.jsonl", rotate: 50MB }
}
