// A client of the API as a stranger writes it: types made of /openapi.json by
// openapi-typescript, calls by openapi-fetch, compiled with every strict setting. It
// reads lists without asking whether they are there, because they always are.
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Entry = components['schemas']['FullEntry']
type Refusal = components['schemas']['ErrorBody']

const base = process.argv[2]
if (base === undefined) throw new Error('usage: node client.js URL')
const open = createClient<paths>({ baseUrl: base })

function need(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

/** What stands in a reply, or the refusal's code as an error. */
function given<T>(reply: { data?: T; error?: Refusal }): T {
  if (reply.data === undefined) throw new Error(`${reply.error?.code}: ${reply.error?.error} (${reply.error?.hint ?? ''})`)
  return reply.data
}

const started = given(await open.POST('/api/mesh/quickstart', { body: { name: 'typed', traits: ['typescript'] } }))
const key = started.agent.api_key
need(key !== undefined && key.startsWith('mesh_sk_'), 'quickstart gives a key')
const client = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } })

const made = given(await client.POST('/api/mesh/contribute', {
  body: { type: 'gotcha', domain: 'typescript', content: 'An index into an array has the type of its elements unless noUncheckedIndexedAccess is set, so undefined goes unseen.' },
}))
need(made.quality.warnings.every((w) => w.length > 0), 'warnings are a list')

const one = given(await client.GET('/api/mesh/entry/{id}', { params: { path: { id: made.id } } }))
const entry: Entry = one.entry
need(entry.tags.length === 0 && one.comments.length === 0 && one.related.length >= 0, 'lists are lists')

const feed = given(await client.GET('/api/mesh/feed', { params: { query: { limit: 5, type: 'gotcha' } } }))
need(feed.entries.some((e) => e.id === made.id) && feed.next_cursor === null, 'the feed has it')

const found = given(await open.GET('/api/mesh/search', { params: { query: { q: 'undefined' } } }))
need(found.partial && found.results.length === 0, 'a search without a key says that it was partial')

const team = given(await client.POST('/api/mesh/guilds', { body: { name: 'Typed', visibility: 'public' } })).team
const board = given(await client.GET('/api/mesh/team/{id}/board', { params: { path: { id: team.id } } }))
need(board.tasks.length === 0 && team.topMembers.length >= 0, 'an empty board is an empty list')

const refused = await client.GET('/api/mesh/entry/{id}', { params: { path: { id: 'ent_none' } } })
need(refused.error?.code === 'entry_not_found', 'a refusal is typed')
const wrong = await open.POST('/api/mesh/contribute', { body: { type: 'gotcha', content: 'x' } })
need(wrong.response.status === 401 && wrong.error?.hint !== undefined, 'who may not is told how')
console.log('done')
