// Signs in to a gateway in Chromium, as people do: by an API key, by a wallet that is in the
// browser, and without scripts by a signature made elsewhere. It walks the pages behind it in
// both themes and two widths, writes an entry with the verdict beside it, and signs out.
// axe-core finds nothing to say about a page, nothing scrolls sideways, the keyboard reaches
// what can be used, and the browser's console stays empty. It prints how soon the first page
// can be used. Usage: node signin.mjs URL SIGNER ADDRESS [FOLDER for pictures], where SIGNER
// signs what is posted to it as the wallet of ADDRESS.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

const [url, signer, address, pictures] = process.argv.slice(2)
assert.ok(address, 'usage: node signin.mjs URL SIGNER ADDRESS [FOLDER]')
const axe = readFileSync(join(import.meta.dirname, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
if (pictures) mkdirSync(pictures, { recursive: true })

/** Calls the API. */
async function api(path, body, key) {
  const r = await fetch(url + path, { method: body ? 'POST' : 'GET', headers: { 'content-type': 'application/json', ...key && { authorization: `Bearer ${key}` } }, body: body && JSON.stringify(body) })
  const reply = await r.json()
  assert.ok(r.ok, `${path}: ${JSON.stringify(reply)}`)
  return reply
}
const bySigner = async (text) => (await fetch(signer, { method: 'POST', body: text })).text()

// Who there is: ada with a key, walt with a wallet, dora with a key pair.
const ada = (await api('/api/mesh/register', { name: 'ada', generate_wallet: true })).agent
const bob = (await api('/api/mesh/register', { name: 'bob', generate_wallet: true })).agent
const asked = await api('/api/mesh/register/challenge', { wallet_address: address })
await api('/api/mesh/register', { name: 'walt', wallet_address: address, nonce: asked.nonce, signature: await bySigner(asked.challenge.text) })
const pair = generateKeyPairSync('ed25519')
const raw = Buffer.concat([Buffer.from([0xed, 0x01]), pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
let digits = ''
for (let n = BigInt(`0x${raw.toString('hex')}`); n > 0n; n /= 58n) digits = letters[Number(n % 58n)] + digits
const did = `did:key:z${digits}`
const signed = (text) => sign(null, Buffer.from(text), pair.privateKey).toString('base64url')
const offered = await api('/api/mesh/register/challenge', { did })
await api('/api/mesh/register', { name: 'dora', did, nonce: offered.nonce, signature: signed(offered.challenge.text) })
const lesson = 'Close the response body before you retry a request, because a leaked body keeps its connection out of the pool. A client that retries for a minute then has as many open connections as attempts.'
const first = (await api('/api/mesh/contribute', { type: 'gotcha', domain: 'go', tags: ['pool'], content: lesson }, bob.api_key)).id
await api('/api/mesh/contribute', { type: 'wisdom', domain: 'testing', content: '<script>document.title = "owned"</script> <img src=x onerror="document.title=\'owned\'"> are shown as text by a page that escapes what strangers wrote.' }, bob.api_key)
const guild = (await api('/api/mesh/guilds', { name: 'Menders', visibility: 'public' }, ada.api_key)).team.id
await api(`/api/mesh/team/${guild}/board`, { tasks: [{ title: 'Mend the roof', description: 'The north side first.' }] }, ada.api_key)
const bounty = (await api('/api/mesh/bounties', { teamId: guild, title: 'Find the leak', description: 'Water comes in above the door.', amount: 5 }, ada.api_key)).bounty.id

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--force-prefers-reduced-motion'],
})
const faults = []
let quiet = false // a refusal is on its way, which browsers report

/** A page of a browser of its own, whose faults are kept. */
async function open() {
  const page = await (await browser.createBrowserContext()).newPage()
  page.on('console', (m) => { if (!quiet && ['error', 'warn'].includes(m.type())) faults.push(`${page.url()}: ${m.text()}`) })
  page.on('pageerror', (e) => faults.push(`${page.url()}: ${e.message}`))
  await page.setViewport({ width: 1280, height: 900 })
  return page
}
const text = (page, selector) => page.$eval(selector, (e) => e.innerText)
const until = (page, what, test, ...args) => page.waitForFunction(test, { timeout: 15000 }, ...args).catch(() => assert.fail(`${what}: ${page.url()}`))
const go = (page, selector) => Promise.all([page.waitForNavigation(), page.click(selector)])
const shot = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }) }

/** What is wrong with a page as it is now. */
async function judge(page, name, thoroughly) {
  const found = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    return wide > 0 ? [`${wide} px stand out sideways: ${[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80)).slice(0, 3).join(' | ')}`] : []
  })
  if (thoroughly) {
    await page.evaluate(axe)
    found.push(...await page.evaluate(async () => {
      const { violations, passes } = await globalThis.axe.run(document, { rules: { 'target-size': { enabled: true } } })
      if (passes.length < 5) return ['axe judged nothing']
      return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`)
    }))
  }
  for (const f of found) faults.push(`${name} ${page.url()}: ${f}`)
}

/** Judges pages in both themes and two widths, each theme thoroughly once. */
async function walk(page, pages) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }])
    for (const width of [1280, 360]) {
      await page.setViewport({ width, height: 800 })
      for (const [name, path] of Object.entries(pages)) {
        assert.equal((await page.goto(url + path)).status(), 200, name)
        await judge(page, `${name} ${theme} ${width}`, (theme === 'light') === (width === 1280))
        await shot(page, `${name}-${theme}-${width}`)
      }
    }
  }
  await page.setViewport({ width: 1280, height: 900 })
}

try {
  // Everybody is shown where to sign in; what is theirs alone leads there, and back.
  const page = await open()
  await page.goto(url)
  await go(page, 'header nav a[href="/auth/signin"]')
  await walk(page, { signin: '/auth/signin', out: '/auth/signin?out=' })
  await page.goto(`${url}/me/contribute`)
  assert.equal(page.url(), `${url}/auth/signin?next=%2Fme%2Fcontribute`)
  quiet = true // 401 is an error to a browser
  await page.type('#key', 'mesh_sk_of_nobody')
  await go(page, '#by-key ~ form button')
  assert.match(await text(page, '.notice.bad:not([hidden])'), /Not signed in/)
  await judge(page, 'refused', true)
  await shot(page, 'refused')
  quiet = false

  // By the keyboard alone, with a key.
  await page.goto(`${url}/auth/signin?next=%2Fme%2F`)
  await page.focus('#key')
  await page.keyboard.type(ada.api_key)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  assert.equal(page.url(), `${url}/me/`)
  assert.match(await text(page, 'h1'), /ada/)
  const cookies = await page.cookies()
  assert.deepEqual(cookies.map((c) => [c.httpOnly, c.sameSite, c.path]), [[true, 'Lax', '/']])
  assert.equal(await page.evaluate(() => document.cookie), '', 'no script reads the cookie')
  await page.goto(`${url}/feed`)
  assert.match(await text(page, 'header nav'), /ada/)

  // How soon the first page can be used, in a browser that has nothing of it yet. A figure,
  // which the machine decides: nothing is asserted about it.
  const fresh = await (await browser.createBrowserContext()).newPage()
  await fresh.setCookie(...cookies.map(({ name, value }) => ({ name, value, url })))
  const wire = await fresh.createCDPSession()
  await wire.send('Network.enable')
  let bytes = 0
  wire.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength })
  await fresh.goto(`${url}/me/`, { waitUntil: 'load' })
  const took = await fresh.evaluate(() => {
    const [n] = performance.getEntriesByType('navigation')
    return { interactive: Math.round(n.domInteractive), scripts: Math.round(n.domContentLoadedEventEnd) }
  })
  console.log(`first page of who is signed in: ${bytes} bytes over the wire, parsed after ${took.interactive} ms, interactive after ${took.scripts} ms`)
  assert.ok(bytes > 5000 && bytes < 120_000, `${bytes} bytes`)
  await fresh.close()

  const pages = {
    mine: '/me/', knowledge: '/me/knowledge', entry: `/me/knowledge/${first}`, contribute: '/me/contribute', agent: `/me/agents/${bob.id}`, guilds: '/me/guilds', guild: `/me/guilds/${guild}`,
    board: `/me/guilds/${guild}/board`, bounties: '/me/bounties', bounty: `/me/bounties/${bounty}`, notifications: '/me/notifications', credits: '/me/credits', keys: '/me/api-keys', sessions: '/me/sessions',
  }
  await walk(page, pages)
  assert.notEqual(await page.title(), 'owned')
  for (const width of [1280, 360]) { // the header of a public page, with who is signed in
    await page.setViewport({ width, height: 800 })
    await page.goto(`${url}/feed`)
    await judge(page, `public ${width}`, false)
    await shot(page, `public-${width}`)
  }
  await page.setViewport({ width: 1280, height: 900 })
  assert.deepEqual(faults, [])
  console.log(`${Object.keys(pages).length + 2} pages in two themes and two widths`)

  // The keyboard reaches all that can be used, in order.
  for (const path of ['/auth/signin', '/me/', `/me/knowledge/${first}`]) {
    await page.goto(url + path)
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }))
      all.forEach((e, i) => { e.dataset.order = i })
      return Math.min(all.length, 40)
    })
    assert.ok(wanted > 10)
    for (let i = 0; i < wanted; i++) {
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.dataset.order), String(i), `Tab ${i + 1} at ${path}`)
    }
  }

  // An entry is written with the verdict beside it; the draft is of who typed it.
  await page.goto(`${url}/me/contribute`)
  await page.type('#content', 'Too short.')
  await until(page, 'the verdict comes while typing', () => document.getElementById('verdict').className === 'no')
  await page.type('#content', ' A cache that is filled by the first request after a deploy makes that request the slowest of the day, so warm it before traffic arrives.')
  await until(page, 'the verdict changes', () => document.getElementById('verdict').className === 'ok')
  await page.reload()
  assert.match(await page.$eval('#content', (e) => e.value), /warm it before traffic/)
  await shot(page, 'verdict')
  await go(page, 'button[value=contribute]')
  assert.match(await text(page, 'main'), /Contributed\./)
  assert.match(await text(page, 'article'), /A cache that is filled/)
  const written = page.url().split('?')[0]
  await page.goto(`${url}/me/knowledge/${first}`)
  assert.match(await text(page, 'article'), /as many open connections as attempts/, 'full texts are shown')
  await go(page, '.votes button[value="1"]')
  assert.equal(await text(page, '.votes b'), '1')
  await page.goto(`${url}/me/guilds`)
  await page.click('#found, section.tight summary')
  await page.type('#found #name', 'Roofers')
  await go(page, '#found button')
  assert.match(await text(page, 'main'), /The guild is founded/)
  await page.goto(`${url}/me/contribute`)
  await page.type('#content', 'What ada types here is nobody else\'s to see.')
  await go(page, '.pulse button')
  assert.match(await text(page, '#out'), /You are signed out/)
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), [], 'no draft stays')
  assert.deepEqual(await page.cookies(), [])
  await page.goto(written)
  assert.match(page.url(), /\/auth\/signin\?next=/)
  console.log('signed in by a key: read, wrote, voted, founded, signed out')
  assert.deepEqual(faults, [])

  // By the wallet of the browser, which signs the text that the page shows.
  const walt = await open()
  await walt.exposeFunction('signWith', bySigner)
  await walt.evaluateOnNewDocument((mine) => {
    globalThis.ethereum = {
      request: async ({ method, params }) => {
        if (method === 'eth_requestAccounts') return [mine]
        if (method !== 'personal_sign' || params[1] !== mine) throw new Error(`a wallet was asked for ${method}`)
        if (globalThis.refuses) throw new Error('User rejected the request.')
        return globalThis.signWith(new TextDecoder().decode(Uint8Array.from(params[0].slice(2).match(/../g), (x) => parseInt(x, 16))))
      },
    }
  }, address)
  await walt.goto(`${url}/auth/signin?next=%2Fme%2Fcredits`)
  await go(walt, '#challenge-form [data-ethereum] button')
  assert.match(await text(walt, '#text'), new RegExp(`Mesh login[^]*gateway: ${url}`))
  await judge(walt, 'challenge', true)
  await shot(walt, 'challenge')
  await walt.setViewport({ width: 360, height: 800 })
  await judge(walt, 'challenge 360', false)
  await walt.evaluate(() => { globalThis.refuses = true })
  await walt.click('#signature-form [data-ethereum] button')
  await until(walt, 'the page says what the wallet said', () => /User rejected/.test(document.querySelector('#signature-form .fault').innerText))
  await walt.evaluate(() => { globalThis.refuses = false })
  await go(walt, '#signature-form [data-ethereum] button')
  assert.equal(walt.url(), `${url}/me/credits`)
  await walt.goto(`${url}/me/`)
  assert.match(await text(walt, 'h1'), /walt/)

  // Without scripts: by a key pair, whose signature is made elsewhere.
  const dora = await open()
  await dora.setJavaScriptEnabled(false)
  await dora.goto(`${url}/auth/signin?next=%2Fme%2Fcontribute`)
  await dora.type('#subject', did)
  await go(dora, '#challenge-form > p:last-child button')
  await dora.type('#signature', signed(await text(dora, '#text')))
  await go(dora, '#signature-form > p:last-child button')
  assert.equal(dora.url(), `${url}/me/contribute`)
  await dora.type('#content', 'Short.')
  await go(dora, 'button[value=check]')
  assert.match(await text(dora, '#verdict'), /would not take/)
  await dora.type('#content', ' A form that is sent by a browser without scripts is read like any other, and what was typed comes back with the reasons.')
  await go(dora, 'button[value=contribute]')
  assert.match(await text(dora, 'article'), /without scripts/)
  console.log('signed in by the wallet of the browser, and by a signature without scripts')
  assert.deepEqual(faults, [])
} finally {
  await browser.close()
}
console.log('done')
process.exit(0)
