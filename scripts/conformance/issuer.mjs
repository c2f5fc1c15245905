// Runs the suite's scenarios for authorization servers against the issuer of the tests,
// which stands behind every sign-in here, and agrees in the place of its user. Usage:
// node issuer.mjs ISSUER CLIENT RESOURCE
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'

const [issuer, clientId, resource] = process.argv.slice(2)
assert.ok(resource, 'usage: node issuer.mjs ISSUER CLIENT RESOURCE')
const free = createServer().listen(0, '127.0.0.1')
await once(free, 'listening')
const { port } = free.address()
free.close()
await once(free, 'close')
// The suite needs Node 22, which is one of the packages.
const node = ['x64', 'arm64'].map((arch) => `node_modules/node-linux-${arch}/bin/node`).find(existsSync) ?? process.execPath
const suite = spawn(node, ['node_modules/@modelcontextprotocol/conformance/dist/index.js', 'authorization', '--url', issuer, '--client-id', clientId,
  '--resource', resource, '--port', String(port), '--verbose'], { stdio: ['ignore', 'pipe', 'pipe'] })
let text = '', followed = false
const heard = (d) => {
  text += d
  const at = /^(http:\/\/\S+\/authorize\?\S+)$/m.exec(text)
  if (!at || followed) return
  followed = true
  fetch(at[1]).catch((fault) => { text += fault })
}
suite.stdout.on('data', heard)
suite.stderr.on('data', heard)
const [code] = await once(suite, 'exit')
assert.equal(code, 0, text.slice(-4000))
assert.ok(followed, text)
console.log(text.split('\n').filter((l) => /✓|✗|passed|failed|Total/.test(l)).join('\n'))
console.log('done')
