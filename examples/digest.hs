// A digest of the day's messages: two tool servers, an agent that writes, a pipeline that sends.
// targets: all
mcp "notes" {
  command: "notes-server"
  args: ["--read-only"]
  env: { NOTES_TOKEN: "kept outside" }
}

mcp "calendar" {
  url: "https://calendar.example/mcp"
}

npc "editor"
    @llm_agent(model: "stub", tools: [notes, calendar])
    @agent_memory
    @rag_knowledge
    @capabilities
    @hitl {
  description: "Writes a short digest and asks before it sends."
  goals: ["no more than ten lines", "names only where they were given"]

  state {
    drafts: 0
    sent: 0
    approved: false
  }

  action draft(topic: string): string {
    state.drafts += 1
    const text = await llm_call("Summarise: " + topic)
    emit("drafted", { topic, text })
    return text
  }

  action approve() {
    state.approved = true
  }

  action send() {
    if (!state.approved) {
      emit("refused", { why: "nobody approved" })
      return
    }
    state.sent += 1
    state.approved = false
  }

  on "send" {
    send()
  }

  on "refused"(e) {
    log "not sent: " + e.why
  }
}

pipeline "Digest" {
  schedule: "0 18 * * mon-fri"

  source Messages {
    type: "mcp"
    url: "https://messages.example/mcp"
    tool: "list"
  }

  filter Today {
    where: unread && length > 20
  }

  transform Short {
    author.name -> author : trim() : titleCase()
    body -> text : truncate(200)
    at -> day : toISO()
  }

  sink Mail {
    type: "webhook"
    url: "${env.MAIL_HOOK}"
  }
}

@test {
  name: "nothing is sent before somebody agrees"
  setup: {
    editor.draft("the harbour")
    emit("editor.send")
  }
  assert: {
    editor.state.sent == 0
    editor.state.drafts == 1
  }
}

@test {
  name: "an approval is good for one digest"
  setup: {
    editor.approve()
    emit("editor.send")
    emit("editor.send")
  }
  assert: {
    editor.state.sent == 1
    !editor.state.approved
  }
}
