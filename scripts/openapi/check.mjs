// Judges the description that a running node serves of its API. Usage: node check.mjs URL
//
// The recommended rules of Redocly find nothing; types made of it by openapi-typescript
// and a client over them (client.ts) compile with every strict setting, and the client
// runs against the node.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'

const base = process.argv[2]
assert.ok(base, 'usage: node check.mjs URL')
const here = dirname(fileURLToPath(import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'meshd-openapi-'))
process.on('exit', () => rmSync(dir, { recursive: true, force: true }))

const reply = await fetch(base + '/openapi.json')
assert.equal(reply.status, 200)
const file = join(dir, 'openapi.json')
writeFileSync(file, await reply.text())
const described = JSON.parse(readFileSync(file, 'utf8'))

// A socket answers with 101, which is no success to the rule.
const expected = (p) => p.ruleId === 'operation-2xx-response' && p.location[0].pointer.startsWith('#/paths/~1api~1mesh~1ws/get')
const config = await createConfig({ extends: ['recommended'], rules: { 'operation-operationId-unique': 'error', 'operation-tag-defined': 'error', 'operation-singular-tag': 'error', 'tag-description': 'error', 'no-invalid-schema-examples': 'error' } })
const problems = (await lint({ ref: file, config })).filter((p) => !expected(p))
for (const p of problems) console.log(`${p.severity} ${p.ruleId} ${p.location[0].pointer}: ${p.message}`)
assert.equal(problems.length, 0, `${problems.length} problems`)

let operations = 0
for (const item of Object.values(described.paths)) for (const op of Object.values(item)) {
  operations++
  assert.equal(op.tags?.length, 1, `${op.operationId} has one tag`)
}
for (const [name, schema] of Object.entries(described.components.schemas)) for (const [field, p] of Object.entries(schema.properties ?? {})) {
  assert.ok(!(Array.isArray(p.type) && p.type.includes('array')), `${name}.${field} may be null instead of a list`)
}
console.log(`${operations} operations, no problem found`)

const types = astToString(await openapiTS(new URL(`file://${file}`)))
assert.ok(!/\[\] \| null\b/.test(types), 'no list may be null')
writeFileSync(join(dir, 'api.ts'), types)
for (const name of ['client.ts', 'tsconfig.json']) copyFileSync(join(here, name), join(dir, name))
symlinkSync(join(here, 'node_modules'), join(dir, 'node_modules'))
writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
writeFileSync(join(dir, 'node.d.ts'), 'declare const process: { argv: string[] }\n')
const run = (name, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' })
  assert.equal(status, 0, `${name}:\n${stdout}${stderr}`)
}
run('tsc', join(here, 'node_modules/typescript/bin/tsc'), '--project', '.')
console.log(`${types.split('\n').length} lines of types and a client over them compile`)
run('client', 'out/client.js', base)
console.log('done')
