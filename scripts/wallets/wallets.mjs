// Drives a running node with the wallet libraries that people use: viem and
// ethers sign, siwe reads the sign-in text. Usage: node wallets.mjs URL
//
// Every check prints one line; the first that fails ends the program.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as ethers from 'ethers'
import { SiweMessage } from 'siwe'
import { hashTypedData, recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'

const base = process.argv[2]
assert.ok(base, 'usage: node wallets.mjs URL')

/** Sends a request and checks its status and code. */
async function ask(method, path, { body, key, status = 200, code, header } = {}) {
  const headers = { ...header }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key) headers.authorization = `Bearer ${key}`
  const reply = await fetch(base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  const text = await reply.text()
  const json = text ? JSON.parse(text) : {}
  assert.equal(`${reply.status} ${json.code ?? ''}`, `${status} ${code ?? ''}`, `${method} ${path}: ${text}`)
  return json
}

const post = (path, body, more) => ask('POST', path, { body, ...more })
const say = (what) => console.log(`ok  ${what}`)

// The fields that ethers wants: without EIP712Domain, which it makes itself.
const withoutDomain = ({ EIP712Domain, ...types }) => types

/** Wallets of both libraries, each with the forms in which it signs. */
const viemWallet = (secret = generatePrivateKey()) => {
  const account = privateKeyToAccount(secret)
  return {
    library: 'viem', address: account.address, secret,
    message: (text) => account.signMessage({ message: text }),
    typed: (data) => account.signTypedData(data),
  }
}
const ethersWallet = (secret = ethers.hexlify(randomBytes(32))) => {
  const wallet = new ethers.Wallet(secret)
  return {
    library: 'ethers', address: wallet.address, secret,
    message: (text) => wallet.signMessage(text),
    typed: (data) => wallet.signTypedData(data.domain, withoutDomain(data.types), data.message),
  }
}

const forms = {
  text: (wallet, challenge) => wallet.message(challenge.text),
  siwe: async (wallet, challenge) => {
    const message = new SiweMessage(challenge.siwe) // reads it by the grammar of EIP-4361
    assert.equal(message.prepareMessage(), challenge.siwe, 'siwe writes the text as we do')
    assert.equal(message.domain, new URL(base).host)
    const signature = await wallet.message(challenge.siwe)
    const { success } = await message.verify({ signature, domain: message.domain, nonce: message.nonce, time: message.issuedAt })
    assert.ok(success)
    return signature
  },
  typed: (wallet, challenge) => wallet.typed(challenge.typed_data),
}

const challengeFor = async (wallet, path = '/api/mesh/register/challenge') => {
  const c = await post(path, { wallet_address: wallet.address })
  assert.equal(c.expires_in, 300)
  assert.equal(c.challenge.walletAddress, wallet.address)
  return c
}

let agents = 0
async function register(wallet, form, name = `agent ${wallet.library} ${form} ${++agents}`) {
  const { nonce, challenge } = await challengeFor(wallet)
  const signature = await forms[form](wallet, challenge)
  return post('/api/mesh/register', { name, wallet_address: wallet.address, nonce, signature }, { status: 201 })
}

const lesson = (who) => ({
  type: 'gotcha', domain: 'wallets',
  content: `A wallet of ${who} signs the bytes of a text, so a line end that was added on the way makes another signature.`,
})

/** One agent's whole life: registered, heard, robbed of its key, recovered. */
async function life(wallet, form, recoverBy) {
  const { agent, wallet: held } = await register(wallet, form)
  assert.equal(agent.wallet_address, wallet.address)
  assert.equal(held.portable, form !== 'typed')
  await post('/api/mesh/contribute', lesson(`${wallet.library} by ${form} ${wallet.address}`), { key: agent.api_key, status: 201 })
  await post('/api/mesh/register/challenge', { wallet_address: wallet.address.toLowerCase() }, { status: 409, code: 'wallet_taken' })

  const { nonce, challenge } = await challengeFor(wallet, '/api/mesh/key/challenge')
  assert.ok(challenge.text.startsWith('Mesh recovery\n') && challenge.text.includes(`\nkey: ${agent.did}\n`))
  const signature = await forms[recoverBy](wallet, challenge)
  const found = await post('/api/mesh/key/recover', { wallet_address: wallet.address, nonce, signature })
  assert.equal(found.agent.id, agent.id)
  assert.equal(found.revoked_keys, 1)
  await ask('GET', '/api/mesh/me', { key: agent.api_key, status: 401, code: 'key_revoked' })
  await post('/api/mesh/contribute', lesson('a thief'), { key: agent.api_key, status: 401, code: 'key_revoked' })
  const me = await ask('GET', '/api/mesh/me', { key: found.agent.api_key })
  assert.equal(me.agentId, agent.id)
  await post('/api/mesh/key/recover', { wallet_address: wallet.address, nonce, signature }, { status: 400, code: 'nonce_invalid' })
  say(`${wallet.library}: registered by ${form}, contributed, recovered by ${recoverBy}; the old key is dead`)
}

await life(viemWallet(), 'text', 'typed')
await life(viemWallet(), 'typed', 'text')
await life(ethersWallet(), 'siwe', 'siwe')
await life(ethersWallet(), 'typed', 'typed')
await life(ethersWallet(), 'text', 'siwe')

// A wallet that signed typed data signs the text of its challenge later.
for (const wallet of [viemWallet(), ethersWallet()]) {
  const { agent } = await register(wallet, 'typed')
  const key = agent.api_key
  const { challenge, portable } = await ask('GET', '/api/mesh/identity/bind', { key })
  assert.equal(portable, false)
  await post('/api/mesh/identity/bind', { signature: await wallet.message('something else') }, { key, status: 401, code: 'signature_invalid' })
  const bound = await post('/api/mesh/identity/bind', { signature: await forms.siwe(wallet, challenge) }, { key })
  assert.ok(bound.portable)
  const found = await ask('GET', `/api/mesh/agent/${encodeURIComponent(challenge.subject)}`, { key })
  assert.equal(found.agent.id, agent.id) // only a proven controller finds its agent
  say(`${wallet.library}: typed data first, made portable later`)
}

// A wallet made by the node is one.
{
  const made = await post('/api/mesh/register', { name: 'generated', generate_wallet: true }, { status: 201 })
  assert.equal(privateKeyToAddress(made.wallet.private_key), made.wallet.address)
  const wallet = ethersWallet(made.wallet.private_key)
  const { nonce, challenge } = await challengeFor(wallet, '/api/mesh/key/challenge')
  const found = await post('/api/mesh/key/recover', { wallet_address: wallet.address, nonce, signature: await forms.text(wallet, challenge) })
  assert.equal(found.agent.id, made.agent.id)
  say('a wallet made by the node recovers its agent')
}

// What must not pass, each with its code. The nonce is gone after every try.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const highS = (signature) => {
  const { r, s, v } = ethers.Signature.from(signature)
  const high = ethers.toBeHex(order - BigInt(s), 32)
  return ethers.concat([r, high, v === 27 ? '0x1c' : '0x1b'])
}
const victim = ethersWallet(), attacker = ethersWallet()
for (const [what, sign] of Object.entries({
  'the signature of another wallet': (c) => attacker.message(c.text),
  'typed data of another wallet': (c) => attacker.typed(c.typed_data),
  'a high s': async (c) => {
    const high = highS(await victim.message(c.text))
    assert.equal(await recoverMessageAddress({ message: c.text, signature: high }), victim.address) // elsewhere it passes
    return high
  },
  'a sign-in for another domain': (c) => {
    const message = new SiweMessage(c.siwe)
    message.domain = 'evil.example'
    return victim.message(message.prepareMessage())
  },
  'a sign-in for another chain': (c) => {
    const message = new SiweMessage(c.siwe)
    message.chainId = 1
    return victim.message(message.prepareMessage())
  },
  'typed data of a foreign domain': (c) => victim.typed({ ...c.typed_data, domain: { name: 'Mash', version: '1' } }),
  'typed data of another version': (c) => victim.typed({ ...c.typed_data, domain: { name: 'Mesh', version: '2' } }),
  'typed data with a chain': (c) => victim.typed({ ...c.typed_data, domain: { ...c.typed_data.domain, chainId: 8453 } }),
  'typed data of another purpose': (c) => victim.typed({ ...c.typed_data, primaryType: 'Recovery', types: { Recovery: [{ name: 'nonce', type: 'string' }] } }),
  'a text with a line end': (c) => victim.message(c.text + '\n'),
  'an empty signature': () => '0x',
})) {
  const { nonce, challenge } = await challengeFor(victim)
  const body = { name: 'never', wallet_address: victim.address, nonce, signature: await sign(challenge) }
  await post('/api/mesh/register', body, { status: 401, code: 'signature_invalid' })
  await post('/api/mesh/register', { ...body, signature: await forms.text(victim, challenge) }, { status: 400, code: 'nonce_invalid' })
  say(`refused: ${what}`)
}
{
  const { nonce } = await challengeFor(victim)
  const { challenge } = await challengeFor(attacker)
  await post('/api/mesh/register', { name: 'never', wallet_address: attacker.address, nonce, signature: await forms.text(attacker, challenge) }, { status: 400, code: 'nonce_invalid' })
  say('refused: the nonce of another wallet')
}
{
  const { nonce, challenge } = await challengeFor(victim, '/api/mesh/key/challenge') // no agent here, and no hint of that
  await post('/api/mesh/key/recover', { wallet_address: victim.address, nonce, signature: await forms.text(victim, challenge) }, { status: 401, code: 'signature_invalid' })
  say('refused: recovery of a wallet without an agent')
}
{
  const wrong = victim.address.replace(/[a-fA-F](?=[^a-fA-F]*$)/, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
  await post('/api/mesh/register/challenge', { wallet_address: wrong }, { status: 400, code: 'invalid_wallet' })
  assert.throws(() => ethers.getAddress(wrong))
  say('refused: a wrong checksum')
}

// The published vectors, by both libraries.
{
  const secret = '0x' + '11'.repeat(32)
  const nonce = '00000000-0000-4000-8000-000000000001'
  const vectors = {
    Registration: ['0x75fe24c91f760f4ac668c80832bdd0b5f9209687811c8996f57f21fa8a956938',
      '0x68ef6be59f5274b198eeec17dfa41b279a5edd76aec59818c78eac899d47f7151c3f847156ea95350f7bece876d6bd6713510b5bfeec3f1781e6598af50d0c151c'],
    Recovery: ['0x1d59eb99933cb7ceab44cd50cb8b44d595e8e9126c83bafd3f4017002db6d6fb',
      '0x2d4d79c1da0c0941c8bf843369fe6c9fde998e0f5ceb271bf9118b318ce77aa773880f01dbc56bba3dff7b76102390553932ba5fa5c787141a1d7b70b8e8d68b1c'],
  }
  const domain = { name: 'Mesh', version: '1' }
  assert.equal(ethers.TypedDataEncoder.hashDomain(domain), '0xc1f786cdc2e709056ddf5430654972c175886fec46e983160c3c872713f65177')
  for (const [primaryType, [digest, signature]] of Object.entries(vectors)) {
    const data = { domain, primaryType, types: { [primaryType]: [{ name: 'nonce', type: 'string' }] }, message: { nonce } }
    assert.equal(hashTypedData(data), digest)
    assert.equal(ethers.TypedDataEncoder.hash(domain, data.types, data.message), digest)
    for (const wallet of [viemWallet(secret), ethersWallet(secret)]) {
      assert.equal(wallet.address, '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')
      assert.equal(await wallet.typed(data), signature)
    }
  }
  say('the published vectors')
}
console.log('done')
