// Plays the host of an MCP App for a running node: shows the preview of scenes in
// Chromium, beside results of compile_source and render_scene, as a chat client does.
// The host's part of the protocol is the official library (ext-apps), which judges every
// message of the page; the client behind it is the official one. Usage: node app.mjs URL
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppBridge, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import WebSocket from 'ws'

const base = process.argv[2]
assert.ok(base, 'usage: node app.mjs URL')
const mime = 'text/html;profile=mcp-app'

/** What a host allows a page by default, and the domains that the page asks for. */
function policy({ csp = {} }) {
  const of = (...names) => names.flatMap((n) => csp[n] ?? []).join(' ')
  return `default-src 'none'; script-src 'unsafe-inline' ${of('resourceDomains')}; style-src 'unsafe-inline' ${of('resourceDomains')}; img-src data: ${of('resourceDomains')}; ` +
    `media-src data: ${of('resourceDomains')}; connect-src ${of('connectDomains') || "'none'"}; frame-src ${of('frameDomains') || "'none'"}; base-uri 'none'`
}

// The client declares that it shows apps; the tools say which page.
const client = new Client({ name: 'host', version: '1' }, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mime] } } } })
await client.connect(new StreamableHTTPClientTransport(new URL(base + '/mcp?toolsets=language')))
const { tools } = await client.listTools()
const uris = new Set(['compile_source', 'render_scene'].map((name) => getToolUiResourceUri(tools.find((t) => t.name === name))))
assert.equal(uris.size, 1, 'both tools show their results on the same page')
const [uri] = uris
assert.match(uri, /^ui:\/\/scene\/[0-9a-f]{64}$/)
const listed = (await client.listResources()).resources.find((r) => r.uri === uri)
assert.equal(listed?.mimeType, mime)
const { contents: [page] } = await client.readResource({ uri })
assert.equal(page.mimeType, mime)
assert.deepEqual(page._meta.ui.csp, { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] })
console.log(`page ${page.text.length} bytes`)

// The host's window and the frame in it, of another origin than the host.
const served = createServer((r, w) => {
  if (r.url === '/view') {
    w.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(page._meta.ui) }).end(page.text)
  } else {
    w.writeHead(200, { 'content-type': 'text/html' }).end(`<!DOCTYPE html><title>host</title><body style="margin:0"><script>
addEventListener('message', (e) => { if (e.source === document.querySelector('iframe').contentWindow) said(JSON.stringify(e.data)) })
</script><iframe sandbox="allow-scripts" src="/view" style="border:0;width:640px;height:360px"></iframe>`)
  }
}).listen(0, '127.0.0.1')
await once(served, 'listening')

const home = mkdtempSync(join(tmpdir(), 'app-'))
const chromium = spawn(process.env.CHROMIUM ?? 'chromium', ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-background-networking', '--no-first-run', `--user-data-dir=${home}`, '--remote-debugging-port=0', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
const devtools = await new Promise((found, failed) => {
  let text = ''
  chromium.stderr.on('data', (d) => {
    text += d
    const at = /DevTools listening on (ws:\S+)/.exec(text)
    if (at) found(at[1])
  })
  chromium.on('exit', () => failed(new Error(`Chromium ended: ${text}`)))
})

/** The DevTools of Chromium: commands by session, and what it reports. */
const socket = new WebSocket(devtools, { perMessageDeflate: false })
await once(socket, 'open')
const open = new Map(), reports = []
let last = 0
socket.on('message', (raw) => {
  const m = JSON.parse(raw)
  if (m.id) {
    const { done, failed } = open.get(m.id)
    open.delete(m.id)
    if (m.error) failed(new Error(m.error.message))
    else done(m.result)
  } else for (const hear of reports) hear(m)
})
const command = (method, params = {}, sessionId = undefined) => new Promise((done, failed) => {
  open.set(++last, { done, failed })
  socket.send(JSON.stringify({ id: last, method, params, sessionId }))
})

/** Shows one result in the page and waits for what the picture must hold. */
async function show(name, args, { want, capabilities, says, viewer = false, mutate = (r) => r }) {
  const { targetId } = await command('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await command('Target.attachToTarget', { targetId, flatten: true })
  const faults = [], asked = []
  const frames = [sessionId], contexts = [] // a frame may be of the window's process, or of its own
  const ready = (session) => Promise.all([command('Runtime.enable', {}, session), command('Log.enable', {}, session), command('Network.enable', {}, session)])
  const transport = {
    start: async () => {}, close: async () => {},
    send: (m) => command('Runtime.evaluate', { expression: `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(m)}, '*')` }, sessionId).then(() => {}),
  }
  const hear = (m) => {
    if (m.method === 'Target.attachedToTarget' && m.sessionId === sessionId) {
      frames.push(m.params.sessionId)
      void ready(m.params.sessionId).then(() => command('Runtime.runIfWaitingForDebugger', {}, m.params.sessionId))
    }
    if (!frames.includes(m.sessionId)) return
    if (m.method === 'Runtime.executionContextCreated') contexts.push({ session: m.sessionId, id: m.params.context.id })
    if (m.method === 'Runtime.bindingCalled') transport.onmessage?.(JSON.parse(m.params.payload))
    if (m.method === 'Runtime.exceptionThrown') faults.push(m.params.exceptionDetails.exception?.description ?? m.params.exceptionDetails.text)
    if (m.method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(m.params.type)) faults.push(m.params.args.map((a) => a.value ?? a.description).join(' '))
    if (m.method === 'Log.entryAdded' && m.params.entry.level === 'error' && !/xr-spatial-tracking/.test(m.params.entry.text)) // the host gives no headset
      faults.push(m.params.entry.text)
    if (m.method === 'Network.requestWillBeSent' && !/^(data|blob):/.test(m.params.request.url)) asked.push(new URL(m.params.request.url).pathname)
  }
  reports.push(hear)
  await ready(sessionId)
  await command('Page.enable', {}, sessionId)
  await command('Emulation.setDeviceMetricsOverride', { width: 640, height: 360, deviceScaleFactor: 1, mobile: false }, sessionId)
  await command('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId)
  await command('Runtime.addBinding', { name: 'said' }, sessionId)

  const bridge = new AppBridge(client, { name: 'host', version: '1' }, capabilities, { hostContext: { theme: 'dark' } })
  bridge.onerror = (e) => faults.push(`the host refuses a message: ${e.message}`)
  const initialized = new Promise((done) => { bridge.oninitialized = done })
  const sized = new Promise((done) => { bridge.onsizechange = done })
  await bridge.connect(transport)
  await command('Page.navigate', { url: `http://127.0.0.1:${served.address().port}/` }, sessionId)
  await initialized
  assert.ok((await sized).height > 0)
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(mutate(await client.callTool({ name, arguments: args })))

  // What the frame says of itself, and the pixels of the whole window.
  const inside = async (expression) => {
    for (const { session, id } of [...contexts].reverse()) {
      const told = await command('Runtime.evaluate', { expression: `location.pathname === '/view' ? (${expression}) : undefined`, contextId: id, returnByValue: true }, session).catch(() => undefined)
      if (told?.result.value !== undefined) return told.result.value
    }
    throw new Error('the frame is not found')
  }
  const look = () => inside(`({ frames: globalThis.meshdViewer?.frames ?? 0, nodes: globalThis.meshdViewer?.nodes ?? 0, triangles: globalThis.meshdViewer?.triangles ?? 0,
    still: !!document.getElementById('still') })`)
  let seen, text, facts
  for (let i = 0; i < 200; i++) {
    const { data } = await command('Page.captureScreenshot', { format: 'png' }, sessionId)
    seen = (await command('Runtime.evaluate', { awaitPromise: true, returnByValue: true, expression: `(async () => {
      const img = new Image(); img.src = 'data:image/png;base64,${data}'; await img.decode()
      const pen = Object.assign(document.createElement('canvas'), { width: img.width, height: img.height }).getContext('2d'), out = {}
      pen.drawImage(img, 0, 0)
      const d = pen.getImageData(0, 0, img.width, img.height).data
      for (let i = 0; i < d.length; i += 4) { const c = (d[i] > 140 ? 'r' : '') + (d[i + 1] > 140 ? 'g' : '') + (d[i + 2] > 140 ? 'b' : ''); out[c] = (out[c] ?? 0) + 1 }
      return out })()` }, sessionId)).result.value
    text = await inside(`document.getElementById('said')?.hidden === false ? document.getElementById('said').textContent : ''`)
    facts = await look()
    // A picture of the result may stand there until the viewer has the scene.
    const shown = !viewer || facts.triangles > 0 && !facts.still
    if (says ? says.test(text) : want.every((c) => seen[c] > 200) && shown && !text) break
    if (i === 199) {
      writeFileSync(join(tmpdir(), 'app-failed.png'), Buffer.from(data, 'base64'))
      assert.fail(`${name}: the window has ${JSON.stringify(seen)}, the viewer ${JSON.stringify(facts)}, the page says ${JSON.stringify(text)}; ${faults.join('; ')}`)
    }
    await new Promise((next) => setTimeout(next, 50)) // the next picture
  }
  await bridge.teardownResource({})
  assert.deepEqual(asked.filter((path) => !['/', '/view', '/favicon.ico'].includes(path)), [], 'the page asks nobody')
  assert.deepEqual(faults, [], name)
  reports.splice(reports.indexOf(hear), 1)
  await command('Target.closeTarget', { targetId })
  return facts
}

const all = { serverTools: {}, serverResources: {}, logging: {} }
const room = 'composition "Hall" { environment { background: "#000000" } object "Plate" { geometry: "box" scale: [6, 6, 0.1] material: { color: "#ff0000" emissive: "#ff0000" unlit: true } } }'
try {
  let facts = await show('compile_source', { code: room, target: 'html' }, { capabilities: all, want: ['r'], viewer: true })
  assert.ok(facts.frames > 0 && facts.triangles >= 12 && !facts.still, JSON.stringify(facts))
  console.log('compile_source to html: the viewer shows the scene')
  facts = await show('compile_source', { files: { 'main.holo': 'import { P } from "./p.holo"\ncomposition "Hall" { object "Plate" using "P" { } }', 'p.holo': 'export template "P" { geometry: "box" scale: [6, 6, 0.1] color: "#00ff00" material: { emissive: "#00ff00" } }' }, entry: 'main.holo', target: 'glb' },
    { capabilities: all, want: ['g'], viewer: true })
  assert.ok(facts.triangles >= 12, JSON.stringify(facts))
  console.log('files to glb: the viewer shows the scene')
  facts = await show('render_scene', { scene: { v: 1, metadata: { name: 'Hall' }, nodes: [{ id: 'a', name: 'Plate', type: 'mesh', primitive: 'box', scale: [6, 6, 0.1], color: '#0000ff', material: { emissive: '#0000ff' } }] } },
    { capabilities: all, want: ['b'], viewer: true })
  assert.ok(facts.triangles >= 12 && !facts.still, JSON.stringify(facts))
  console.log('a described scene: the viewer shows it')
  // A host that lets the page ask nothing: the picture of the result stays.
  facts = await show('render_scene', { code: room }, { capabilities: {}, want: ['r'] })
  assert.ok(facts.still && facts.triangles === 0, JSON.stringify(facts))
  await show('compile_source', { code: room, target: 'glb' }, { capabilities: {}, says: /does not let the preview ask/ })
  await show('compile_source', { code: 'object {', target: 'html' }, { capabilities: all, says: /\w/ })
  // What stands in a result is shown as text, never run.
  await show('compile_source', { code: room, target: 'html' }, { capabilities: all, says: /^<img src=x onerror=1>$/,
    mutate: () => ({ isError: true, content: [{ type: 'text', text: '<img src=x onerror=1>' }] }) })
  console.log('without what a host gives, and of a refusal, the page says so')
} finally {
  socket.close()
  chromium.kill()
  await once(chromium, 'close') // every process of it has ended, which exit does not say: they write into home until then
  served.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
await client.close()
console.log('done')
process.exit(0)
