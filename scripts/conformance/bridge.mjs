// The client that the suite's scenarios for clients test: the official SDK at one end of the
// pipe of `meshd mcp --url`, which asks the server of the scenario. Usage: node bridge.mjs
// MESHD URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [meshd, url] = process.argv.slice(2)
const client = new Client({ name: 'bridge', version: '1' })
await client.connect(new StdioClientTransport({ command: meshd, args: ['mcp', '--url', url], env: { ...process.env, MESHD_LOOPBACK: '1' } }))
const { tools } = await client.listTools()
for (const { name } of tools.filter((t) => t.name === 'add_numbers')) await client.callTool({ name, arguments: { a: 5, b: 3 } })
await client.close()
