// The few live parts of the console's pages. Every page works without this script.
(() => {
  'use strict'
  const base = document.body.dataset.base
  const the = (id) => document.getElementById(id)
  const say = (el, text) => {
    if (!el || el.textContent === text && !el.hidden) return
    el.textContent = text
    el.hidden = !text
  }
  const count = (n, one, many) => `${n.toLocaleString('en').replaceAll(',', '\u202f')} ${n === 1 ? one : many}`

  // The link of a terminal: the form is sent once somebody looks at the page, which a
  // page that a browser prepares in advance is not.
  const opens = the('open')
  if (opens) {
    const send = () => opens.requestSubmit()
    if (document.prerendering) document.addEventListener('prerenderingchange', send, { once: true })
    else send()
  }
  if (!base) return

  // News: numbers that change, and whether the node is there at all.
  let source, first, lost = 0
  const show = (news) => {
    for (const el of document.querySelectorAll('[data-live]')) {
      const what = el.dataset.live
      if (what === 'peers') el.textContent = count(news.peers, 'peer', 'peers')
      if (what === 'peercount') el.textContent = count(news.peers, '', '').trim()
      if (what === 'entries') el.textContent = count(news.entries, '', '').trim()
      if (what === 'unread') el.textContent = news.unread ? `${news.unread} unread` : 'nothing unread'
    }
    for (const dot of document.querySelectorAll('.dot')) dot.classList.toggle('off', !news.peers)
    first ??= news
    const more = news.entries - first.entries
    if (more > 0 && document.querySelector('[data-feed]')) {
      const el = the('fresh')
      const a = document.createElement('a')
      a.href = location.href
      a.textContent = `${count(more, 'new entry', 'new entries')}: show`
      el.replaceChildren(a)
      el.hidden = false
    }
  }
  const over = (why) => {
    source?.close()
    source = undefined
    say(the('gone'), `${why} Run meshd open in a terminal to go on; what you typed here is kept.`)
  }
  const listen = () => {
    if (source || document.hidden) return
    source = new EventSource(`${base}/live`)
    source.addEventListener('news', (e) => {
      if (lost) say(the('gone'), '')
      lost = 0
      show(JSON.parse(e.data))
    })
    source.addEventListener('bye', () => over('This session has ended.'))
    source.onerror = () => {
      source.close()
      source = undefined
      void again()
    }
  }
  // again asks whether the node is back: nobody there, a new process that does not know
  // this session, or the same one.
  const again = async () => {
    try {
      const r = await fetch(`${base}/live/alive`, { cache: 'no-store', headers: { accept: 'application/json' } })
      if (r.status === 401) return over('The node runs, and this session has ended: it was started anew or the session was ended.')
      if (r.ok) return listen()
    } catch {
      if (lost++ > 0) say(the('gone'), 'The node does not answer: it has stopped, or is being started. This page tries again by itself; what you typed is kept.')
    }
    setTimeout(again, Math.min(5000, 500 + lost * 250))
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return listen()
    source?.close()
    source = undefined
  })
  listen()
})()
