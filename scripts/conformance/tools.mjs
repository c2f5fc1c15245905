// Calls every tool of a running node as a model's program does: with the official
// TypeScript SDK, whose client holds each result against the outputSchema that the
// tool declared. Usage: node tools.mjs URL
//
// Every tool of tools/list is called with good input, and with bad; every success
// must pass the client's validation, and every refusal must reach the caller with
// its code and what to do. A tool without a row here fails the run.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const base = process.argv[2]
assert.ok(base, 'usage: node tools.mjs URL')

/**
 * Connects the SDK's client, with a key or without, and reads the list of tools: of all
 * toolsets, and with the one that adds toolsets, unless another choice is given.
 */
async function connect(key, choice = { 'X-MCP-Toolsets': 'all', 'X-MCP-Dynamic-Toolsets': 'true' }, query = '') {
  const headers = { ...choice, ...(key && { Authorization: `Bearer ${key}` }) }
  const client = new Client({ name: 'tools', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(base + '/mcp' + query), { requestInit: { headers } }))
  const { tools, nextCursor } = await client.listTools() // the client keeps the schemas of the last page only
  assert.equal(nextCursor, undefined, 'all tools stand on one page')
  return { client, tools }
}

async function post(path, body, key) {
  const reply = await fetch(base + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
  })
  const text = await reply.text()
  assert.ok(reply.ok, `${path}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

const tally = { good: new Map(), bad: new Map() }
const count = (kind, tool) => tally[kind].set(tool, (tally[kind].get(tool) ?? 0) + 1)

/** A call that must succeed; the client has judged the result by its schema. */
async function good(side, name, args = {}) {
  const result = await side.client.callTool({ name, arguments: args })
  assert.ok(!result.isError, `${name} refuses good input: ${result.content?.[0]?.text}`)
  assert.ok(result.structuredContent, `${name} has no structured content`)
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, `${name}: the text is the same`)
  count('good', name)
  return result.structuredContent
}

/** A call that must be refused, in a way that a model can read. */
async function bad(side, name, args, code, more = {}) {
  let result
  try {
    result = await side.client.callTool({ name, arguments: args })
  } catch (error) {
    assert.fail(`${name}: the client throws the refusal away: ${error.message}`)
  }
  assert.equal(result.isError, true, `${name} takes ${JSON.stringify(args)}`)
  assert.equal(result.structuredContent, undefined, `${name}: a refusal has no structured content`)
  assert.equal(result.content.length, 1)
  const refusal = JSON.parse(result.content[0].text)
  assert.equal(refusal.code, code, `${name}: ${result.content[0].text}`)
  assert.ok(refusal.error && refusal.success === false && refusal.request_id, result.content[0].text)
  if (more.hint) assert.match(refusal.hint, more.hint)
  if (more.field) {
    const named = refusal.details.field ?? refusal.details.param ?? refusal.details.fields[0].field
    assert.equal(named, more.field, `${name}: ${result.content[0].text}`)
  }
  count('bad', name)
  return refusal
}

const nobody = await connect()
const lesson = (about) => `Close the response body before ${about}, because a leaked body keeps its connection out of the pool.`

// Two agents, opened by the tool itself.
async function agent(name) {
  const opened = await good(nobody, 'register_agent', { name, generate_wallet: true })
  assert.equal(opened.stage, 'registered')
  return { ...(await connect(opened.agent.api_key)), id: opened.agent.id, key: opened.agent.api_key }
}
const asked = await good(nobody, 'register_agent', { name: 'asker', wallet_address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' })
assert.equal(asked.stage, 'challenge')
await bad(nobody, 'register_agent', { name: '?' }, 'invalid_name')
await bad(nobody, 'register_agent', { nmae: 'mistyped' }, 'validation_failed', { field: 'nmae' })
const ada = await agent('ada')
const bob = await agent('bob')

// What is known.
const entry = await good(ada, 'contribute_knowledge', { type: 'gotcha', domain: 'go', tags: ['http'], content: lesson('retrying a request') })
await bad(ada, 'contribute_knowledge', { type: 'gotcha', content: 'Too short.' }, 'too_short', { hint: /check_knowledge/ })
await bad(nobody, 'contribute_knowledge', { type: 'gotcha', content: lesson('asking again') }, 'auth_required', { hint: /register_agent/ })
await good(ada, 'check_knowledge', { type: 'wisdom', content: lesson('returning early from a handler') })
await good(ada, 'check_knowledge', { type: 'wisdom', content: 'short' }) // the verdict is the reply
await bad(ada, 'check_knowledge', { type: 'wisdom', content: lesson('x'), confidence: 'high' }, 'validation_failed', { field: 'confidence' })

while ((await fetch(base + '/api/mesh')).headers.get('x-mesh-lag') !== '0'); // until the index has it
const found = await good(ada, 'query_knowledge', { query: 'leaked body' })
assert.equal(found.count, 1)
assert.equal(found.partial, false)
const blind = await good(nobody, 'query_knowledge', { search: 'leaked body' })
assert.ok(blind.count === 0 && blind.partial && blind.partial_reason && /register_agent/.test(blind.hint), JSON.stringify(blind))
await bad(nobody, 'query_knowledge', { query: 'x' }, 'validation_failed', { field: 'query' })
await bad(nobody, 'query_knowledge', { search: '  ' }, 'invalid_param', { field: 'search' })
await bad(nobody, 'query_knowledge', {}, 'invalid_param', { field: 'query' })
await bad(nobody, 'query_knowledge', { query: 'body', tags: ['a', 'b'] }, 'validation_failed', { field: 'tags' })
await good(nobody, 'get_feed', { limit: 1 })
await good(ada, 'get_feed')
await good(ada, 'get_feed', { fields: ['id', 'title'] })
await bad(ada, 'get_feed', { fields: ['colour'] }, 'invalid_param', { field: 'fields' })
await bad(nobody, 'get_feed', { limit: 1000 }, 'validation_failed', { field: 'limit' })
await good(nobody, 'get_directory')
await bad(nobody, 'get_directory', { sort: 'luck' }, 'validation_failed', { field: 'sort' })
await good(nobody, 'get_overview')
await bad(nobody, 'get_overview', { verbose: true }, 'validation_failed', { field: 'verbose' })
await good(nobody, 'get_entry', { id: entry.id })
await good(bob, 'get_entry', { id: entry.id })
await bad(nobody, 'get_entry', { id: 'ent_none' }, 'entry_not_found')
await good(nobody, 'verify_entry', { id: entry.id })
await bad(nobody, 'verify_entry', { id: 'ent_none' }, 'entry_not_found')
await good(bob, 'vote', { id: entry.id })
await bad(ada, 'vote', { id: entry.id }, 'self_vote')
await bad(nobody, 'vote', { id: entry.id }, 'auth_required', { hint: /register_agent/ })
await good(bob, 'comment', { id: entry.id, content: 'It holds for hijacked connections too.' })
await bad(bob, 'comment', { id: entry.id, content: 'x', parent_id: 'cmt_none' }, 'unknown_reference')

// Who is there.
await good(nobody, 'get_agent', { id: 'ada' })
await good(bob, 'get_agent', { id: bob.id })
await bad(nobody, 'get_agent', { id: 'nobody at all' }, 'agent_not_found')
await good(nobody, 'get_reputation', { id: ada.id })
await bad(nobody, 'get_reputation', { id: 'self' }, 'auth_required', { hint: /register_agent/ })
await good(ada, 'get_me')
await bad(nobody, 'get_me', {}, 'auth_required')
await good(ada, 'update_profile', { bio: 'Reads sockets.', links: [{ label: 'site', url: 'https://ada.example' }] })
await bad(ada, 'update_profile', {}, 'no_fields')
await good(bob, 'post_guestbook', { agent_id: ada.id, message: 'Thank you for the lesson.' })
await bad(bob, 'post_guestbook', { agent_id: ada.id, message: '' }, 'validation_failed', { field: 'message' })
await good(nobody, 'get_guestbook', { agent_id: ada.id })
await bad(nobody, 'get_guestbook', { agent_id: 'nobody at all' }, 'agent_not_found')

// A guild and its work.
const { team } = await good(ada, 'create_guild', { name: 'Night shift', visibility: 'public' })
await bad(nobody, 'create_guild', { name: 'Night shift' }, 'auth_required')
await good(nobody, 'get_guild', { id: team.id })
await bad(nobody, 'get_guild', { id: 'gld_none' }, 'team_not_found')
await good(nobody, 'get_guilds')
await bad(nobody, 'get_guilds', { type: 'secret' }, 'validation_failed', { field: 'type' })
await good(bob, 'join_guild', { id: team.id })
await bad(bob, 'join_guild', { id: 'gld_none' }, 'team_not_found')
const at = (args = {}) => ({ team_id: team.id, ...args })
await good(ada, 'invite_to_guild', at({ role: 'viewer' }))
await bad(bob, 'invite_to_guild', at(), 'forbidden')
await good(bob, 'guild_members', at())
await bad(bob, 'guild_members', at({ cursor: 'nonsense' }), 'invalid_cursor')
await good(ada, 'set_guild_member', at({ agent_id: bob.id, role: 'member' }))
await bad(bob, 'set_guild_member', at({ agent_id: ada.id, action: 'ban' }), 'forbidden')
const shared = { doc: `${team.id}.plan` }
await good(bob, 'edit_document', { ...shared, ops: [{ type: 'lww', key: 'colour', value: 'green' }] })
await bad(bob, 'edit_document', { ...shared, ops: [{ type: 'lww' }] }, 'validation_failed')
assert.equal((await good(ada, 'read_document', shared)).state.values.colour, 'green')
await bad(nobody, 'read_document', shared, 'auth_required')
const town = { doc: `${team.id}.zone/town` }
const mine = ['spatial:read', 'spatial:write', 'spatial:delete']
await good(ada, 'set_zones', { ...town, outside: ['spatial:read'], zones: [
  { id: 'ada', classification: 'sensitive', bounds: { min: [0, 0, 0], max: [1, 1, 1] }, agents: { [ada.id]: mine } },
  { id: 'bob', classification: 'sensitive', bounds: { min: [1, 0, 0], max: [2, 1, 1] }, agents: { [bob.id]: mine } }] })
await bad(bob, 'set_zones', { ...town, zones: [] }, 'zone_denied', { hint: /set_zones/ })
await bad(ada, 'set_zones', { ...town, zones: [{ id: 'ada', classification: 'secret' }] }, 'validation_failed')
for (const [who, own, other] of [[ada, 'ada', 'bob'], [bob, 'bob', 'ada']]) {
  await good(who, 'edit_document', { doc: `${town.doc}/${own}`, ops: [{ type: 'text', key: 'diary', action: 'insert', text: `of ${own}` }] })
  assert.equal((await good(who, 'read_document', { doc: `${town.doc}/${own}` })).state.texts.diary, `of ${own}`)
  await bad(who, 'read_document', { doc: `${town.doc}/${other}` }, 'zone_denied')
  await bad(who, 'edit_document', { doc: `${town.doc}/${other}`, ops: [{ type: 'lww', key: 'x', value: 1 }] }, 'zone_denied')
  await bad(who, 'delete_document', { doc: `${town.doc}/${other}` }, 'zone_denied')
  const listed = (await good(who, 'list_documents', { of: team.id })).documents.map((d) => d.doc)
  assert.ok(listed.includes(`${town.doc}/${own}`) && !listed.includes(`${town.doc}/${other}`), JSON.stringify(listed))
}
await bad(ada, 'list_documents', { of: 'nobody' }, 'invalid_param')
await good(bob, 'get_zones', town)
await bad(bob, 'get_zones', { doc: `${bob.id}.zone/town` }, 'invalid_param')
await good(bob, 'zone_at', { ...town, at: '1.5,0.5,0.5' })
await bad(bob, 'zone_at', { ...town, at: '0.5,0.5,0.5' }, 'zone_denied')
await bad(bob, 'zone_at', { ...town, at: 'NaN,0,0' }, 'invalid_param')
await good(bob, 'delete_document', { doc: `${town.doc}/bob` })
await good(bob, 'heartbeat', at({ status: 'busy' }))
await bad(nobody, 'heartbeat', at(), 'auth_required')
const added = await good(ada, 'board_add', at({ tasks: [{ title: 'Mend the fence', tags: ['wood'] }, { title: 'Paint it' }] }))
await bad(ada, 'board_add', at({ tasks: [] }), 'missing_field', { field: 'tasks' })
await bad(ada, 'board_add', at({ tasks: [{ name: 'x' }] }), 'validation_failed')
const [first, second] = added.tasks.map((t) => t.id)
await good(bob, 'board_list', at())
await bad(bob, 'board_list', { team: team.id }, 'validation_failed', { field: 'team' })
await good(bob, 'board_claim', at({ task_id: first }))
await bad(bob, 'board_claim', at({ task_id: 'tsk_none' }), 'task_not_found')
await good(bob, 'board_release', at({ task_id: first }))
await bad(bob, 'board_release', at({ task_id: first, why: 'x' }), 'validation_failed', { field: 'why' })
await good(bob, 'board_claim', at({ task_id: first }))
await good(bob, 'board_block', at({ task_id: first, reason: 'No wood.' }))
await bad(bob, 'board_block', at({ task_id: 'tsk_none', reason: 'x' }), 'task_not_found')
await good(ada, 'board_update', at({ task_id: second, fields: { title: 'Paint it white', priority: 'high' } }))
await bad(ada, 'board_update', at({ task_id: second, fields: { title: 7 } }), 'validation_failed', { field: 'fields.title' })
await bad(bob, 'board_complete', at({ task_id: second, entry_ids: Array(11).fill('x') }), 'validation_failed', { field: 'entry_ids' })
await good(bob, 'board_claim', at({ task_id: second }))
await good(bob, 'board_complete', at({ task_id: second, summary: 'Painted.', entry_ids: [entry.id] }))
await good(bob, 'send_message', at({ content: 'The fence is white.' }))
await bad(bob, 'send_message', at({}), 'missing_field', { field: 'content' })
await good(ada, 'inbox', at())
await bad(ada, 'inbox', at({ cursor: 'nonsense' }), 'invalid_cursor')
await good(ada, 'knowledge_read', at())
await bad(ada, 'knowledge_read', { team_id: 'gld_none' }, 'team_not_found')
await good(ada, 'mode_set', at({ mode: 'build' }))
await bad(ada, 'mode_set', at({ mode: 'sleep' }), 'validation_failed', { field: 'mode' })

// A bounty, before and after somebody takes it.
const offer = { teamId: team.id, title: 'A gate', description: 'In the fence.', amount: 5 }
const { bounty } = await good(ada, 'bounty_open', offer)
await bad(ada, 'bounty_open', { ...offer, amount: 0 }, 'validation_failed', { field: 'amount' })
await good(nobody, 'bounty_list')
await bad(nobody, 'bounty_list', { status: 'lost' }, 'validation_failed', { field: 'status' })
await good(nobody, 'bounty_get', { id: bounty.id })
await good(bob, 'bounty_get', { id: bounty.id })
await bad(nobody, 'bounty_get', { id: 'bty_none' }, 'bounty_not_found')
await bad(ada, 'bounty_claim', { id: bounty.id }, 'self_deal')
await good(bob, 'bounty_claim', { id: bounty.id })
await bad(ada, 'bounty_claim', { id: bounty.id }, 'already_claimed')
await good(bob, 'bounty_release', { id: bounty.id })
await bad(bob, 'bounty_release', { id: bounty.id }, 'bad_transition')
await good(bob, 'bounty_claim', { id: bounty.id })
await good(bob, 'bounty_get', { id: bounty.id })
await good(bob, 'bounty_submit', { id: bounty.id, solution: 'It hangs and closes.', entry_ids: [entry.id] })
await bad(bob, 'bounty_submit', { id: bounty.id }, 'validation_failed', { field: 'solution' })
await good(ada, 'bounty_get', { id: bounty.id })
await good(ada, 'bounty_request_changes', { id: bounty.id, reason: 'It squeaks.' })
await bad(ada, 'bounty_request_changes', { id: bounty.id, reason: 'x' }, 'bad_transition')
await good(bob, 'bounty_submit', { id: bounty.id, solution: 'It hangs, closes and is oiled.' })
await good(ada, 'bounty_accept', { id: bounty.id })
await bad(bob, 'bounty_accept', { id: bounty.id }, 'bad_transition')
await good(ada, 'bounty_payout', { id: bounty.id })
await bad(ada, 'bounty_payout', { id: 'bty_none' }, 'bounty_not_found')

// Work that a vote pays for, and work that an arbiter judges.
const judge = await agent('judge')
const policy = await fetch(`${base}/api/mesh/team/${team.id}`, {
  method: 'PATCH', headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.key}` },
  body: JSON.stringify({ policy: { bounty_payout: 'governance', arbiters: [judge.id] } }),
})
assert.ok(policy.ok, await policy.text())
const voted = (await good(ada, 'bounty_open', offer)).bounty
await good(bob, 'bounty_claim', { id: voted.id })
await good(bob, 'bounty_submit', { id: voted.id, solution: 'Done.' })
await good(ada, 'bounty_propose', { id: voted.id, title: 'Pay' })
await good(ada, 'bounty_vote', { id: voted.id, value: 'approve' })
const judged = (await good(ada, 'bounty_open', offer)).bounty
await good(bob, 'bounty_claim', { id: judged.id })
await good(bob, 'bounty_submit', { id: judged.id, solution: 'Done.' })
await good(bob, 'bounty_dispute', { id: judged.id, reason: 'No answer.' })
await good(judge, 'bounty_resolve', { id: judged.id, verdict: 'pay', reason: 'It is done.' })
const idle = await good(ada, 'bounty_open', offer)
await bad(ada, 'bounty_dispute', { id: idle.bounty.id, reason: 'x' }, 'bad_transition')
await bad(ada, 'bounty_resolve', { id: idle.bounty.id, verdict: 'pay', reason: 'x' }, 'bad_transition')
await bad(ada, 'bounty_propose', { id: idle.bounty.id, title: 'Pay' }, 'bad_transition')
await bad(ada, 'bounty_vote', { id: idle.bounty.id, value: 'approve' }, 'bad_transition')
await good(ada, 'bounty_cancel', { id: idle.bounty.id })
await bad(ada, 'bounty_cancel', { id: 'bty_none' }, 'bounty_not_found')
await good(ada, 'get_notifications')
await bad(nobody, 'get_notifications', {}, 'auth_required')
await good(ada, 'read_notifications', { all: true })
await bad(ada, 'read_notifications', {}, 'no_fields')

// Scenes and sources.
const room = 'composition "Hall" { object "Lamp" { geometry: "sphere" position: [0, 2, 0] } }'
await good(ada, 'set_scene', { source: room })
await bad(ada, 'set_scene', { source: 'object {' }, 'source_invalid')
await good(nobody, 'get_scene', { agent_id: ada.id })
await good(nobody, 'get_scene', { agent_id: ada.id, inline: true })
await bad(nobody, 'get_scene', { agent_id: 'nobody at all' }, 'agent_not_found')
await good(nobody, 'parse_hs', { code: 'object "a" { }', format: 'hs' })
await bad(nobody, 'parse_hs', {}, 'missing_field', { field: 'code' })
await good(nobody, 'parse_holo', { code: room })
const lossy = 'object "Post" { geometry: "box" rougness: 0.4 on_start { let m = new Widget() log m } }\nconst spare = 3'
for (const tool of ['parse_holo', 'parse_hs', 'validate_source']) { // as a compile finds it
  const found = await good(nobody, tool, { code: lossy })
  assert.deepEqual([...found.warnings, ...found.hints].map((d) => d.code), ['BLK002', 'FLO012', 'NAM008', 'LNT015'], tool)
}
await bad(nobody, 'parse_holo', { code: 7 }, 'validation_failed', { field: 'code' })
await good(nobody, 'validate_source', { content: room })
await good(nobody, 'validate_source', { code: 'object {' })
await bad(nobody, 'validate_source', { content: 'x'.repeat(300_000) }, 'body_too_large', { field: 'content' })
await good(nobody, 'list_traits')
await good(nobody, 'list_traits', { category: 'physics' })
await bad(nobody, 'list_traits', { category: 'nonsense' }, 'unknown_category')
await good(nobody, 'suggest_traits', { description: 'a ball that can be grabbed and thrown' })
await bad(nobody, 'suggest_traits', { description: 'x' }, 'validation_failed', { field: 'description' })
await good(nobody, 'explain_trait', { name: 'grabbable' })
await bad(nobody, 'explain_trait', { name: 'nonsense' }, 'not_found')
await good(nobody, 'generate_scene', { prompt: 'a red ball on a table' })
await bad(nobody, 'generate_scene', { prompt: 'qwzx vbnm' }, 'validation_failed', { field: 'prompt' })
await good(nobody, 'generate_object', { prompt: 'a blue box' })
await bad(nobody, 'generate_object', { prompt: '' }, 'validation_failed', { field: 'prompt' })
await good(nobody, 'list_targets')
await bad(nobody, 'list_targets', { all: true }, 'validation_failed', { field: 'all' })
await good(nobody, 'compile_source', { code: room, target: 'gltf' })
await bad(nobody, 'compile_source', { code: room, target: 'glft' }, 'unknown_target')
await good(nobody, 'compile_source', { files: { 'a.holo': 'import { B } from "./b.holo"\nobject "a" using "B" { }', 'b.holo': 'export template "B" { geometry: "box" }' }, entry: 'a.holo', target: 'html' })
const { job_id } = await good(nobody, 'compile_source', { code: room, target: 'html', inline: true })
await good(nobody, 'get_compilation_status', { job_id })
await bad(ada, 'get_compilation_status', { job_id }, 'job_not_found', { hint: /compile_source/ })
await good(nobody, 'format_source', { code: room })
await bad(nobody, 'format_source', {}, 'missing_field', { field: 'code' })
await good(nobody, 'convert_format', { code: room, to: 'hsplus' })
await bad(nobody, 'convert_format', { code: 'object {', to: 'hs' }, 'source_invalid')
await good(nobody, 'get_syntax_reference')
await good(nobody, 'get_syntax_reference', { topic: 'machines' })
await bad(nobody, 'get_syntax_reference', { topic: 'nonsense' }, 'not_found')
await good(nobody, 'get_examples')
await good(nobody, 'get_examples', { topic: 'hello' })
await bad(nobody, 'get_examples', { topic: 'nonsense' }, 'not_found')
await bad(nobody, 'compile_source', { source: 'object {', target: 'gltf' }, 'source_invalid')
await good(nobody, 'render_scene', { code: room, format: 'svg' })
await bad(nobody, 'render_scene', { code: room, format: 'mp4' }, 'unsupported_format')
const several = { 'a.holo': 'import { B } from "./b.holo"\nobject "a" using "B" { }', 'b.holo': 'export template "B" { geometry: "box" }' }
await good(nobody, 'render_scene', { files: several, entry: 'a.holo', format: 'svg' })
await good(nobody, 'parse_holo', { files: several, entry: 'a.holo' })
await good(nobody, 'parse_hs', { files: { 'a.hs': 'object "a" { }' } })
for (const tool of ['render_scene', 'parse_holo', 'validate_source']) {
  await bad(nobody, tool, { files: several }, 'missing_field', { field: 'entry' })
  await bad(nobody, tool, { files: several, entry: 'c.holo' }, 'validation_failed', { field: 'entry' })
}

// What has to be paid for is in the schema of the tool that asks.
const sold = await good(ada, 'contribute_knowledge', { type: 'pattern', price: 2, content: lesson('selling what is inside') })
const due = await bob.client.callTool({ name: 'get_entry', arguments: { id: sold.id } })
assert.ok(due.isError && due.structuredContent.code === 'insufficient_credits' && due.structuredContent.x402Version === 2, JSON.stringify(due))
assert.deepEqual(JSON.parse(due.content[0].text), due.structuredContent)

// Toolsets: who chooses none reads little, finds an entry by its second message, and is told
// of the rest; a choice that there is not is refused.
{
  const requests = { n: 0 }
  const stranger = new Client({ name: 'stranger', version: '1' })
  await stranger.connect(new StreamableHTTPClientTransport(new URL(base + '/mcp'), {
    fetch: async (url, init) => {
      const reply = await fetch(url, init)
      if (init?.method === 'POST' && reply.status !== 202) requests.n++ // a notification asks nothing
      return reply
    },
  }))
  const [, tool, args] = stranger.getInstructions().match(/Ask (\w+) (\{.*?\}) before/)
  const first = await stranger.callTool({ name: tool, arguments: JSON.parse(args.replace('…', 'gotcha')) })
  assert.ok(first.structuredContent.entries.length > 0, JSON.stringify(first))
  assert.equal(requests.n, 2)
  await stranger.close()
  const plain = await connect(undefined, {})
  assert.ok(JSON.stringify(plain.tools).length <= 40000, `${JSON.stringify(plain.tools).length} bytes`)
  assert.deepEqual(plain.tools.slice(0, 6).map((t) => t.name), ['register_agent', 'contribute_knowledge', 'query_knowledge', 'get_feed', 'get_directory', 'get_guilds'])
  assert.ok(!plain.tools.some((t) => t.name === 'bounty_list'))
  const told = await good(plain, 'list_toolsets')
  await bad(plain, 'list_toolsets', { toolset: 'bountys' }, 'validation_failed', { field: 'toolset' })
  await bad(plain, 'enable_toolset', { toolset: 'bounties' }, 'method_not_allowed', { hint: /X-MCP-Toolsets/ })
  for (const { name, names } of told.toolsets) {
    const one = await connect(undefined, {}, '?toolsets=' + name)
    assert.deepEqual(one.tools.map((t) => t.name), names)
    assert.ok(JSON.stringify(one.tools).length <= 40000)
    const [{ tools }] = (await good(plain, 'list_toolsets', { toolset: name })).toolsets
    assert.deepEqual(tools.map((t) => t.inputSchema), one.tools.map((t) => t.inputSchema))
    await one.client.close()
  }
  const enabled = await good(nobody, 'enable_toolset', { toolset: 'bounties' })
  assert.ok(enabled.toolsets.includes('bounties'))
  await assert.rejects(() => connect(undefined, { 'X-MCP-Toolsets': 'bountys' }), /there is no toolset .*bountys.*there are network/)
  await plain.client.close()
}

// A key that does not hold: told, by reads too, with what to do; the list of tools
// and register_agent stay open.
const stale = await connect('mesh_sk_' + 'a'.repeat(43))
for (const call of [
  () => stale.client.callTool({ name: 'query_knowledge', arguments: { query: 'leaked body' } }),
  () => stale.client.callTool({ name: 'contribute_knowledge', arguments: { type: 'gotcha', content: lesson('x') } }),
  () => stale.client.readResource({ uri: 'mesh://overview' }),
  () => stale.client.listResources(),
  () => stale.client.getPrompt({ name: 'onboard', arguments: { name: 'x' } }),
]) {
  await assert.rejects(call, (error) => {
    assert.equal(error.code, 401)
    assert.match(error.message, /invalid_token/)
    assert.match(error.message, /register_agent/)
    return true
  })
}
await good(stale, 'register_agent', { name: 'second wind', generate_wallet: true })

for (const { name } of nobody.tools) {
  for (const kind of ['good', 'bad']) assert.ok(tally[kind].get(name), `no ${kind} call of ${name}`)
}
const sum = (m) => [...m.values()].reduce((a, b) => a + b, 0)
console.log(`${nobody.tools.length} tools, ${sum(tally.good)} successes hold under their schemas, ${sum(tally.bad)} refusals are read`)
for (const side of [nobody, ada, bob, judge, stale]) await side.client.close()
console.log('done')
