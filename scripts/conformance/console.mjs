// Uses the owner's console of a node in Chromium, as its owner does: opens it by the link of
// meshd open, walks every page in both themes and two widths, writes, reads, loses the node
// and gets it back. axe-core finds nothing to say about a page in either theme, nothing scrolls sideways, the
// keyboard reaches what can be used, and the browser's console stays empty. Without scripts
// every page still shows what it has, and forms still write. Usage: node console.mjs PROGRAM
// HOME PORT [FOLDER for pictures]
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

const [program, home, port, pictures] = process.argv.slice(2)
assert.ok(port, 'usage: node console.mjs PROGRAM HOME PORT [FOLDER]')
const axe = readFileSync(join(import.meta.dirname, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
const base = `http://127.0.0.1:${port}`
const env = { ...process.env, MESHD_GATEWAY_LISTEN: `127.0.0.1:${port}`, MESHD_P2P_LISTEN: '/ip4/127.0.0.1/tcp/0', MESHD_GATEWAY_STARTING_CREDITS: '100' }
if (pictures) mkdirSync(pictures, { recursive: true })

/** Runs a command of the node's owner. */
const meshd = (...args) => execFileSync(program, [...args, '--home', home, '--loopback'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Starts the node and waits until it answers. */
async function start() {
  const node = spawn(program, ['run', '--loopback', '--home', home], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((ready, failed) => {
    let text = ''
    node.stdout.on('data', (d) => {
      text += d
      if (/^ready$/m.test(text)) {
        assert.ok(!/\/console\/open/.test(text), 'a pipe gets no link')
        ready()
      }
    })
    node.on('exit', () => failed(new Error(`meshd ended: ${text}`)))
  })
  return node
}

let node = await start()
process.on('exit', () => node.kill('SIGKILL')) // whatever happened
const lessons = [
  ['gotcha', 'go', 'Close the response body before you retry a request, because a leaked body keeps its connection out of the pool. A client that retries for a minute then has as many open connections as attempts, and the next dial fails with too many open files.'],
  ['pattern', 'postgres', 'Add a column with a constant default in one statement: since version 11 the default lies in the catalogue and no row is written, so the lock is held for a moment only.\n\nA default that is computed rewrites the table.'],
  ['wisdom', 'testing', 'A test that waits for a fixed time is slow on a good day and wrong on a bad one; wait for what must happen, and give up late.'],
  ['gotcha', 'kubernetes', 'A readiness probe that asks a database takes every replica out of service at once when the database is slow for a moment.'],
  ['gotcha', 'go', '<script>document.title = "owned"</script> <img src=x onerror="document.title=\'owned\'"> are shown as text by a page that escapes what strangers wrote, in whichever place it stands.'],
]
meshd('register', 'ada') // names the owner's agent
for (const [type, domain, text] of lessons) meshd('contribute', '--type', type, '--domain', domain, '--tag', 'e2e', text)
meshd('register', 'bob')
const entries = JSON.parse(meshd('feed', '--json')).entries
const first = entries.find((e) => e.domain === 'postgres').id
meshd('vote', first, '--as', 'bob')
meshd('comment', first, 'It holds for version 12 too; I measured it on a table of two hundred million rows.', '--as', 'bob')
const guild = meshd('guild', 'create', 'Menders', '-q').trim()
meshd('team', 'board', 'add', guild, 'Mend the roof before the rain comes', '--text', 'The north side first.')
const bounty = meshd('bounty', 'create', guild, '--amount', '5', '--title', 'Find the leak', '-q', 'Water comes in above the door.').trim()

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--force-prefers-reduced-motion'],
})
const faults = []
let quiet = false // the node is gone on purpose, which browsers report

/** A page whose faults are kept. */
async function open(context = browser) {
  const page = await context.newPage()
  page.on('console', (m) => { if (!quiet && ['error', 'warn'].includes(m.type())) faults.push(`${page.url()}: ${m.text()}`) })
  page.on('pageerror', (e) => faults.push(`${page.url()}: ${e.message}`))
  return page
}

const link = () => meshd('open', '--print').trim()
const at = (page) => page.url().replace(/\/~[^/]*/, '/~')
const text = (page, selector) => page.$eval(selector, (e) => e.innerText)
const until = (page, what, test, ...args) => page.waitForFunction(test, { timeout: 15000 }, ...args).catch(() => assert.fail(`${what}: ${at(page)}`))

/** What is wrong with a page as it is now. */
async function judge(page, name, thoroughly) {
  const found = await page.evaluate(async () => {
    const out = []
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) out.push(`${wide} px stand out sideways: ${[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80)).slice(0, 3).join(' | ')}`)
    return out
  })
  if (thoroughly) {
    await page.evaluate(axe)
    found.push(...await page.evaluate(async () => {
      const { violations, passes } = await globalThis.axe.run(document, { rules: { 'target-size': { enabled: true } } })
      if (passes.length < 5) return ['axe judged nothing']
      return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`)
    }))
  }
  for (const f of found) faults.push(`${name} ${at(page)}: ${f}`)
}

try {
  // A link works once; a preview of it uses nothing up.
  const page = await open()
  const once_ = link()
  assert.match(await (await fetch(once_)).text(), /Open the console/)
  await page.setViewport({ width: 1280, height: 900 })
  const wire = await page.createCDPSession()
  await wire.send('Network.enable')
  let bytes = 0
  wire.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength })
  const began = Date.now()
  await page.goto(once_)
  await page.waitForSelector('.device')
  await page.waitForFunction(() => document.readyState === 'complete')
  const home_ = page.url()
  console.log(`first page: ${bytes} bytes over the wire, ${Date.now() - began} ms from the link on`)
  assert.ok(bytes > 5000 && bytes < 120_000, `${bytes} bytes`)
  assert.match(home_, new RegExp(`^${base}/console/~[\\w-]{43}/$`))
  assert.equal((await page.cookies()).filter((c) => c.name === 'meshd_console' && c.httpOnly && c.sameSite === 'Strict' && c.path === new URL(home_).pathname).length, 1)

  // Nobody else is signed in: another browser, a used link, a server on another port.
  const stranger = await browser.createBrowserContext()
  const other = await open(stranger)
  quiet = true // 401 is an error to a browser
  await other.goto(home_)
  assert.match(await text(other, 'h1'), /Open the console from a terminal/)
  await other.goto(once_)
  await until(other, 'a used link is refused', () => /used already/.test(document.body.innerText))
  quiet = false
  const got = []
  const spy = createServer((r, w) => {
    got.push(r.headers.cookie, r.headers.referer)
    w.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'meshd_console=planted; Path=/' }).end('<!doctype html><title>spy</title><link rel="icon" href="data:,">')
  }).listen(0, '127.0.0.1')
  await once(spy, 'listening')
  const third = await open()
  await third.goto(`http://127.0.0.1:${spy.address().port}/console/`)
  await third.goto(home_) // planted cookies shut nobody out
  await third.waitForSelector('.device')
  await third.evaluate((url) => { const a = document.createElement('a'); a.href = url; a.id = 'out'; document.body.append(a) }, `http://127.0.0.1:${spy.address().port}/out`)
  await Promise.all([third.waitForNavigation(), third.evaluate(() => document.getElementById('out').click())])
  assert.deepEqual(got.filter((s) => s !== undefined && s !== 'meshd_console=planted'), [], 'another port receives nothing')
  assert.ok(got.length >= 4)
  spy.close()
  await third.close()
  await stranger.close()
  console.log('one browser is signed in, and no other port hears of it')

  // Every page, in both themes and two widths.
  const walk = {
    home: '', knowledge: 'knowledge', filtered: 'knowledge?type=gotcha&domain=go', search: 'knowledge?q=default', nothing: 'knowledge?q=zzzz', entry: `knowledge/${first}`, contribute: 'contribute',
    agents: 'agents', agent: `agents/${entries[0].authorId}`, guilds: 'guilds', guild: `guilds/${guild}`, board: `guilds/${guild}/board`, bounties: 'bounties', bounty: `bounties/${bounty}`,
    notifications: 'notifications', credits: 'credits', sessions: 'sessions', confirm: 'confirm',
  }
  for (const theme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }])
    for (const width of [1280, 360]) {
      await page.setViewport({ width, height: 800 })
      for (const [name, path] of Object.entries(walk)) {
        const answer = await page.goto(home_ + path)
        assert.equal(answer.status(), 200, name)
        await judge(page, `${name} ${theme} ${width}`, (theme === 'light') === (width === 1280))
        if (pictures) await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`), fullPage: true })
      }
    }
  }
  assert.deepEqual(faults, [])
  await page.setViewport({ width: 1280, height: 900 })
  await page.goto(home_ + 'knowledge')
  const shown = await text(page, 'main')
  for (const [, , lesson] of lessons) assert.ok(shown.includes(lesson.slice(0, 60)), 'full texts are shown')
  assert.notEqual(await page.title(), 'owned')
  console.log(`${Object.keys(walk).length} pages in two themes and two widths`)

  // The keyboard alone: the first stop skips to the page, and all that can be used is reached in order.
  for (const path of ['', 'contribute', `knowledge/${first}`]) {
    await page.goto(home_ + path)
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }) && !(e.type === 'radio' && !e.checked))
      all.forEach((e, i) => { e.dataset.order = i })
      return Math.min(all.length, 40)
    })
    for (let i = 0; i < wanted; i++) {
      await page.keyboard.press('Tab')
      const order = await page.evaluate(() => document.activeElement?.dataset.order)
      assert.equal(order, String(i), `Tab ${i + 1} at ${path}`)
    }
  }

  // An entry is written with the verdict beside it, and a reload loses nothing.
  await page.goto(home_ + 'contribute')
  await page.type('#content', 'Too short.')
  await until(page, 'the verdict comes while typing', () => document.getElementById('verdict').className === 'no' && /characters/.test(document.getElementById('verdict').innerText))
  const lesson = ' A cache that is filled by the first request after a deploy makes that request the slowest of the day, so warm it before traffic arrives.'
  await page.type('#content', lesson)
  await until(page, 'the verdict changes', () => document.getElementById('verdict').className === 'ok')
  await page.type('#domain', 'caching')
  await page.reload()
  assert.equal(await page.$eval('#content', (e) => e.value), 'Too short.' + lesson)
  assert.equal(await page.$eval('#domain', (e) => e.value), 'caching')
  if (pictures) await page.screenshot({ path: join(pictures, 'verdict.png'), fullPage: true })
  await Promise.all([page.waitForNavigation(), page.click('button[value=contribute]')])
  assert.match(await text(page, 'main'), /Contributed\. It is stored here/)
  assert.match(await text(page, 'article'), /A cache that is filled/)
  await page.goto(home_ + 'contribute')
  assert.equal(await page.$eval('#content', (e) => e.value), '', 'what was sent is no draft')

  // Vote and comment on what bob wrote; one's own is for others to vote on.
  const theirs = meshd('contribute', '--type', 'wisdom', '--domain', 'testing', '--as', 'bob', '-q', 'Name a test after what must hold and not after the function that it calls, so that a failure says what broke.').trim()
  await page.goto(`${home_}knowledge/${theirs}`)
  await Promise.all([page.waitForNavigation(), page.click('.votes button[value="1"]')])
  assert.match(await text(page, 'main'), /Your vote counts/)
  assert.equal(await text(page, '.votes b'), '1')
  await page.type('#content', 'Yes: the name is read far more often than the body.')
  await Promise.all([page.waitForNavigation(), page.click('#say button')])
  assert.match(await text(page, '.comments'), /read far more often/)
  await page.goto(`${home_}knowledge/${first}`)
  assert.equal(await page.$('.votes form'), null)
  await page.goto(`${home_}guilds/${guild}/board`)
  await Promise.all([page.waitForNavigation(), page.click('button[value=claim]')])
  assert.match(await text(page, '.rows'), /claimed\s+you/)
  await page.goto(`${home_}notifications`)
  assert.match(await text(page, 'main'), /commented|vote/)
  await Promise.all([page.waitForNavigation(), page.click('button[name=all]')])
  assert.match(await text(page, '.pulse'), /nothing unread/)

  // What happens meanwhile shows by itself.
  await page.goto(home_ + 'knowledge')
  meshd('contribute', '--type', 'gotcha', '--domain', 'live', '--as', 'bob', 'A page that is open while somebody else writes says that there is something new, and does not move under the reader.')
  await until(page, 'a new entry is announced', () => /1 new entry/.test(document.getElementById('fresh').innerText))
  console.log('written, voted, commented, claimed, read; news shows by itself')
  assert.deepEqual(faults, [])

  // Without scripts: the same pages, and the check by a button.
  const plain = await open()
  await plain.setJavaScriptEnabled(false)
  await plain.goto(home_ + 'contribute')
  await plain.type('#content', 'Short.')
  await Promise.all([plain.waitForNavigation(), plain.click('button[value=check]')])
  assert.match(await text(plain, '#verdict'), /would not take/)
  assert.equal(await plain.$eval('#content', (e) => e.value), 'Short.')
  await plain.type('#content', ' A form that is sent by a browser without scripts is read like any other, and what was typed comes back with the reasons.')
  await Promise.all([plain.waitForNavigation(), plain.click('button[value=contribute]')])
  assert.match(await text(plain, 'article'), /without scripts/)
  await plain.close()

  // The node dies under an open page: it says so, keeps what is typed, and says how to go on.
  await page.goto(home_ + 'contribute')
  quiet = true
  node.kill('SIGKILL')
  await once(node, 'exit')
  await page.type('#content', 'This is typed while nothing answers, and it must be here when the console is opened again later.')
  await until(page, 'the page says that the node is gone', () => /does not answer/.test(document.getElementById('gone').innerText) && !document.getElementById('gone').hidden)
  if (pictures) await page.screenshot({ path: join(pictures, 'gone.png') })
  node = await start()
  await until(page, 'the page says that its session has ended', () => /session has ended/.test(document.getElementById('gone').innerText))
  assert.equal(await page.$eval('#content', (e) => e.value.length > 50), true)
  await page.goto(home_)
  assert.match(await text(page, 'h1'), /Open the console from a terminal/)
  if (pictures) await page.screenshot({ path: join(pictures, 'ended.png') })
  await page.goto(link())
  await page.waitForSelector('.device')
  quiet = false
  await page.goto(page.url() + 'contribute')
  assert.match(await page.$eval('#content', (e) => e.value), /typed while nothing answers/)
  await until(page, 'the draft is judged', () => document.getElementById('verdict').className === 'ok')

  // A session is ended from another browser, while its page is open.
  const second = await (await browser.createBrowserContext()).newPage()
  await second.goto(link())
  await second.waitForSelector('.device')
  await second.goto(second.url() + 'sessions')
  quiet = true
  await Promise.all([second.waitForNavigation(), second.click('button[name=others]')])
  await page.bringToFront()
  await until(page, 'the page says that it was signed out', () => /session has ended/.test(document.getElementById('gone').innerText))
  console.log('the node was killed and came back, no draft was lost; a session was ended elsewhere')
  assert.deepEqual(faults, [])
} finally {
  await browser.close()
  node.removeAllListeners('exit')
  const ended = once(node, 'exit')
  node.kill('SIGTERM')
  await ended
}
console.log('done')
process.exit(0)
