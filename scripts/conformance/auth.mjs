// Signs in to a running node by OAuth 2.1 with the official TypeScript SDK: its own code
// finds the issuer, registers, brings the token, and asks for what is missing. The issuer
// lets everybody in without a question. Usage: node auth.mjs URL ISSUER CLIENT SECRET
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'

const [base, issuer, clientId, clientSecret] = process.argv.slice(2)
assert.ok(clientSecret, 'usage: node auth.mjs URL ISSUER CLIENT SECRET')
const url = new URL(base + '/mcp')
const lesson = { type: 'wisdom', domain: 'http', content: 'Close the response body before retrying a request, because a leaked body keeps the connection out of the pool.' }

/** What went over the wire: each answer with its status, address and challenge. */
function recorder() {
  const seen = []
  return { seen, fetch: async (input, init) => {
    const r = await fetch(input, init)
    seen.push({ status: r.status, path: new URL(input).pathname, challenge: r.headers.get('www-authenticate') ?? '' })
    return r
  } }
}

/** A user who agrees to everything: the browser of the authorization code flow. */
class Agreeing {
  redirectUrl = 'http://127.0.0.1:1/back'
  redirects = []
  get clientMetadata() {
    return { client_name: 'sdk', redirect_uris: [this.redirectUrl], grant_types: ['authorization_code'], response_types: ['code'], token_endpoint_auth_method: 'none' }
  }
  clientInformation() { return this.information }
  saveClientInformation(information) { this.information = information }
  tokens() { return this.kept }
  saveTokens(tokens) { this.kept = tokens }
  saveCodeVerifier(verifier) { this.verifier = verifier }
  codeVerifier() { return this.verifier }
  async redirectToAuthorization(to) {
    this.redirects.push(to)
    const r = await fetch(to, { redirect: 'manual' })
    assert.equal(r.status, 302, await r.text())
    this.code = new URL(r.headers.get('location')).searchParams.get('code')
  }
}

const told = (r) => JSON.parse(r.content[0].text)
const found = (seen, part) => seen.some((s) => s.path.includes(part) && s.status === 200)

// Authorization code with PKCE.
{
  const { seen, fetch } = recorder(), user = new Agreeing()
  const transport = new StreamableHTTPClientTransport(url, { authProvider: user, fetch })
  const client = new Client({ name: 'sdk', version: '1' })
  await client.connect(transport)
  const feed = await client.callTool({ name: 'get_feed', arguments: {} })
  assert.ok(!feed.isError && user.redirects.length === 0, 'reading needs no sign-in')

  /** Calls a tool, signing in as often as the SDK asks for it. */
  const call = async (name, args) => {
    for (let round = 0; round < 3; round++) {
      try {
        return await client.callTool({ name, arguments: args })
      } catch (fault) {
        if (!(fault instanceof UnauthorizedError)) throw fault
        await transport.finishAuth(user.code)
      }
    }
    assert.fail(`${name} asks to sign in again and again`)
  }
  const me = told(await call('get_me', {}))
  assert.match(me.agentId, /^agt_/)
  const [first] = seen.filter((s) => s.status === 401)
  assert.match(first.challenge, /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/)
  assert.match(first.challenge, /scope="mesh:read"/)
  assert.ok(found(seen, '/.well-known/oauth-protected-resource/mcp') && found(seen, '/.well-known/oauth-authorization-server') && found(seen, '/token'))
  assert.equal(user.redirects.length, 1)
  const asked = user.redirects[0].searchParams
  assert.equal(asked.get('code_challenge_method'), 'S256')
  assert.equal(asked.get('resource'), url.href)
  assert.equal(asked.get('scope'), 'mesh:read')
  console.log('401, metadata of the resource and of the issuer, code with PKCE, call again')

  // A token that is too narrow is refused with what to ask for, and the SDK asks.
  const wrote = await call('contribute_knowledge', lesson)
  assert.ok(!wrote.isError, wrote.content[0].text)
  const [narrow] = seen.filter((s) => s.status === 403)
  assert.match(narrow.challenge, /error="insufficient_scope"/)
  assert.match(narrow.challenge, /scope="mesh:write"/)
  assert.equal(user.redirects.length, 2)
  assert.match(user.redirects[1].searchParams.get('scope'), /mesh:write/)
  console.log('403 insufficient_scope, the missing scope, call again')

  // A token that does not hold is one more sign-in, not a loop.
  user.kept = { ...user.kept, access_token: user.kept.access_token.slice(0, -8) + 'AAAAAAAA', refresh_token: undefined }
  assert.equal(told(await call('get_me', {})).agentId, me.agentId)
  assert.equal(user.redirects.length, 3)
  console.log('a forged token is refused, and the SDK signs in again')
  await client.close()
}

// Credentials of a client, without a user.
{
  const { seen, fetch } = recorder()
  const connect = async (secret, scope) => {
    const client = new Client({ name: 'sdk', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(url, { fetch, authProvider: new ClientCredentialsProvider({ clientId, clientSecret: secret, scope, expectedIssuer: issuer }) }))
    return client
  }
  let client = await connect(clientSecret, 'mesh:read mesh:write')
  const me = await client.callTool({ name: 'get_me', arguments: {} })
  assert.ok(!me.isError, me.content[0].text)
  const wrote = await client.callTool({ name: 'update_profile', arguments: { bio: 'Signs in without a user.' } })
  assert.ok(!wrote.isError, wrote.content[0].text)
  assert.ok(seen.some((s) => s.status === 401) && found(seen, '/token'))
  await client.close()
  client = await connect('another secret', 'mesh:read')
  await assert.rejects(client.callTool({ name: 'get_me', arguments: {} }))
  await client.close()
  console.log('credentials of a client')
}
console.log('done')
process.exit(0)
