crew "Morning digest" {
  process: sequential
  verbose: false
  trigger: cron("30 6 * * 1-5")

  agent Scout {
    role: "News scout"
    goal: "Find the ten stories that matter to a maritime insurer"
    llm: { name: "small-chat", temperature: 0.1 }
    tools: [rss, web_search(max_results: 8), read_page]
    max_iterations: 6
  }

  agent Editor {
    role: "Editor"
    goal: "Cut, order and verify"
    backstory: "Twenty years on a shipping desk. Dislikes adjectives."
    llm: { name: "large-chat", temperature: 0.3, max_tokens: 1800 }
    allow_delegation: true
    knowledge: "style/house_style.md"
  }

  agent Publisher { role: "Publisher", tools: [send_mail], llm: none }

  task gather {
    agent: Scout
    description: "Collect stories since ${last_run | date('YYYY-MM-DD HH:mm')}"
    sources: ["https://feeds.example/shipping.xml", "https://feeds.example/weather.atom"]
    expected_output: list<{ title: string, url: string, why: string }>
    min_items: 5
    timeout: 4m
  }

  task edit {
    agent: Editor
    needs: gather
    prompt: "Write six items of at most 45 words. Each needs its source."
    output_file: "out/digest.md"
    check { word_count < 300; every(item => item.url.startsWith("https://")) }
    retry: 2
  }

  task send {
    agent: Publisher
    needs: [edit]
    when: weekday() && edit.items >= 3
    input: { to: "desk@harbor.example", subject: "Digest ${today}", body: edit.output }
    human_approval: { by: "marit", within: 20m, otherwise: "skip" }
  }

  memory { shared: true, embedder: "mini-embed", dimensions: 384, ttl: 14d }
  budget { tokens: 60000, usd: 0.40 }
}
