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

  // Signing in by a wallet that is in this browser: it names its address, and signs the text
  // that the page shows. Without it the same forms take both as text.
  const wallet = globalThis.ethereum
  const island = (form, act) => {
    if (!form || !wallet) return
    const box = form.querySelector('[data-ethereum]'), fault = form.querySelector('.fault')
    box.hidden = false
    box.firstElementChild.addEventListener('click', async () => {
      say(fault, '')
      try {
        await act()
        form.requestSubmit()
      } catch (e) {
        say(fault, `The wallet did not do it: ${e?.message ?? e}`)
      }
    })
  }
  island(the('challenge-form'), async () => {
    [the('subject').value] = await wallet.request({ method: 'eth_requestAccounts' })
  })
  const asks = the('signature-form')
  if (asks?.dataset.wallet) {
    island(asks, async () => {
      const text = [...new TextEncoder().encode(the('text').textContent)].map((b) => b.toString(16).padStart(2, '0')).join('')
      the('signature').value = await wallet.request({ method: 'personal_sign', params: [`0x${text}`, asks.dataset.wallet] })
    })
  }
  if (!base) return

  // Drafts: what is typed stays in this browser until it was sent, so that nothing is lost
  // when the node goes away.
  const drafts = `meshd.draft.${document.body.dataset.who ? `${document.body.dataset.who}.` : ''}` // of each who signs in
  const key = (form) => drafts + form.dataset.draft
  const store = { // a browser may keep nothing
    get: (k) => { try { return JSON.parse(localStorage.getItem(k)) } catch { return null } },
    set: (k, v) => { try { localStorage.setItem(k, JSON.stringify(v)) } catch { /* then not */ } },
    drop: (k) => { try { localStorage.removeItem(k) } catch { /* then not */ } },
  }
  const fields = (form) => [...form.elements].filter((f) => f.name && f.name !== 'once' && f.name !== 'parent_id' && /^(textarea|select-one|text|number|radio)$/.test(f.type))
  const kept = (form, on) => { if (form.dataset.check) the('kept').hidden = !on }
  const sent = new URLSearchParams(location.search).get('done')
  for (const form of document.querySelectorAll('form[data-draft]')) {
    if (sent === 'commented' && form.dataset.draft.startsWith('comment ')) store.drop(key(form))
    const texts = fields(form).filter((f) => f.type === 'textarea')
    const draft = store.get(key(form))
    if (draft && texts.every((f) => !f.value)) {
      for (const f of fields(form)) {
        if (!(f.name in draft)) continue
        if (f.type === 'radio') f.checked = f.value === draft[f.name]
        else f.value = draft[f.name]
        const more = f.closest('details')
        if (more && draft[f.name] && f.type !== 'number') more.open = true
      }
      kept(form, true)
    }
    form.addEventListener('input', () => {
      const now = {}
      for (const f of fields(form)) if (f.type !== 'radio' || f.checked) now[f.name] = f.value
      const any = texts.some((f) => f.value.trim())
      if (any) store.set(key(form), now)
      else store.drop(key(form))
      kept(form, any)
    })
  }
  if (sent === 'contributed') store.drop(`${drafts}contribute`)
  for (const form of document.querySelectorAll('form[data-out]')) { // somebody else may use this browser next
    form.addEventListener('submit', () => {
      try { for (const k of Object.keys(localStorage)) if (k.startsWith(drafts)) localStorage.removeItem(k) } catch { /* nothing is kept */ }
    })
  }

  // The gate's verdict while an entry is typed.
  const entry = document.querySelector('form[data-check]')
  if (entry) {
    const content = the('content'), counted = the('count'), verdict = the('verdict')
    const size = () => {
      const n = [...content.value.trim()].length
      counted.textContent = n ? `${n} of ${counted.dataset.least} to ${counted.dataset.most} characters.` : ''
    }
    const list = (texts, soft) => {
      const ul = document.createElement('ul')
      ul.className = soft ? 'whys soft' : 'whys'
      for (const text of texts) ul.append(Object.assign(document.createElement('li'), { textContent: text }))
      return texts.length ? [ul] : []
    }
    let waiting, asked = 0
    const ask = async () => {
      const mine = ++asked
      if (!content.value.trim()) {
        verdict.className = ''
        verdict.replaceChildren(Object.assign(document.createElement('p'), { className: 'says dim', textContent: 'Nothing yet.' }))
        return
      }
      verdict.classList.add('asking')
      try {
        const r = await fetch(entry.dataset.check, { method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(new FormData(entry)) })
        const said = await r.json()
        if (mine !== asked) return
        verdict.className = r.ok ? said.ok ? 'ok' : 'no' : ''
        verdict.replaceChildren(Object.assign(document.createElement('p'), { className: 'says', textContent: r.ok ? said.says : said.error }),
          ...list(said.reasons ?? [], false), ...list(said.warnings ?? [], true))
      } catch { // the node does not answer, which the page says elsewhere
        verdict.classList.remove('asking')
      }
    }
    entry.addEventListener('input', () => {
      size()
      clearTimeout(waiting)
      waiting = setTimeout(ask, 400)
    })
    the('drop').addEventListener('click', () => {
      store.drop(key(entry))
      entry.reset()
      for (const f of fields(entry)) if (f.type === 'textarea' || f.type === 'text') f.value = ''
      kept(entry, false)
      size()
      void ask()
      content.focus()
    })
    size()
    if (content.value.trim() && !verdict.className) void ask()
  }

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
  if (!('live' in document.body.dataset)) return
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return listen()
    source?.close()
    source = undefined
  })
  listen()
})()
