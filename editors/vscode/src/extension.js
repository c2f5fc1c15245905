// The client of VS Code: it starts `meshd lang lsp` and shows scenes beside their source.
'use strict'
const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')
const { find, missing } = require('./program')
const { Previews } = require('./preview')

const languages = ['holo', 'hs', 'hsplus']

let client // of the running server, undefined without one

// program is the path of meshd. Where there is none the person is told.
function program() {
  const setting = vscode.workspace.getConfiguration('meshd').get('path', '')
  const found = find(setting)
  if (!found) {
    const open = 'Open Settings'
    vscode.window.showErrorMessage(missing(setting), open).then(choice => {
      if (choice === open) vscode.commands.executeCommand('workbench.action.openSettings', 'meshd.path')
    })
  }
  return found
}

async function start() {
  const command = program()
  if (!command) return
  const target = vscode.workspace.getConfiguration('meshd').get('target', '')
  client = new LanguageClient('meshd', 'meshd', { command, args: ['lang', 'lsp'] }, {
    documentSelector: languages.flatMap(language => [{ scheme: 'file', language }, { scheme: 'untitled', language }]),
    initializationOptions: { target },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.holo,*.hs,*.hsplus,project.json,traits/*.json}') },
  })
  try {
    await client.start()
  } catch (error) {
    client = undefined
    vscode.window.showErrorMessage(`meshd: the language server does not start: ${error.message}`)
  }
}

async function stop() {
  const running = client
  client = undefined
  if (running) await running.stop().catch(() => {})
}

async function activate(context) {
  const previews = new Previews(vscode, program)
  const ours = editor => (editor && languages.includes(editor.document.languageId) ? editor.document : undefined)
  context.subscriptions.push(
    vscode.commands.registerCommand('meshd.preview', async uri => {
      const document = uri ? await vscode.workspace.openTextDocument(uri) : ours(vscode.window.activeTextEditor)
      if (document) await previews.show(document)
      else vscode.window.showInformationMessage('meshd: open a .holo, .hs or .hsplus file to see its scene.')
    }),
    vscode.commands.registerCommand('meshd.format', () => vscode.commands.executeCommand('editor.action.formatDocument')),
    vscode.commands.registerCommand('meshd.restart', async () => {
      await stop()
      await start()
    }),
    vscode.workspace.onDidSaveTextDocument(document => previews.saved(document)),
    vscode.workspace.onDidChangeConfiguration(async change => {
      if (change.affectsConfiguration('meshd.path')) {
        await stop()
        await start()
      } else if (change.affectsConfiguration('meshd.target') && client) {
        const target = vscode.workspace.getConfiguration('meshd').get('target', '')
        await client.sendNotification('workspace/didChangeConfiguration', { settings: { meshd: { target } } })
      }
    }),
  )
  await vscode.commands.executeCommand('setContext', 'meshd.languages', languages)
  await start()
}

module.exports = { activate, deactivate: stop }
