'use strict'
const { execFile } = require('node:child_process')

const maxPage = 256 * 1024 * 1024 // bytes of an artefact, the limit of the compiler

// compile makes the page of a source: {html} or, where it has errors, {error}. The text
// of a document without a file goes in on standard input.
function compile(program, file, text) {
  const from = text === undefined ? file : '-'
  return new Promise(resolve => {
    const child = execFile(program, ['lang', 'compile', '--target', 'html', from], { maxBuffer: maxPage, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) resolve({ error: stderr.trim() || error.message })
      else resolve({ html: stdout })
    })
    child.stdin.on('error', () => {}) // it may have ended before it has read
    child.stdin.end(text)
  })
}

// failed is the page that says why there is no scene.
function failed(error) {
  const text = error.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<title>No preview</title><style>body{font:14px/1.5 var(--vscode-editor-font-family,monospace);padding:16px}pre{white-space:pre-wrap}</style></head>` +
    `<body><h1>No preview</h1><p>The source cannot be compiled. Its scene is shown when that is mended and saved.</p><pre>${text}</pre></body></html>`
}

// Previews are the open ones, one a source. A preview follows its source when that is
// saved.
class Previews {
  constructor(vscode, program) {
    this.vscode = vscode
    this.program = program // () => path, or null when there is none and the person was told
    this.panels = new Map()
  }

  async show(document) {
    const key = document.uri.toString()
    let open = this.panels.get(key)
    if (open) {
      open.panel.reveal(undefined, true)
    } else {
      const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1)
      const panel = this.vscode.window.createWebviewPanel('meshd.preview', `Preview ${name}`, { viewColumn: this.vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] })
      open = { panel, turn: 0 }
      this.panels.set(key, open)
      panel.onDidDispose(() => this.panels.delete(key))
    }
    await this.draw(document, open)
  }

  async saved(document) {
    const open = this.panels.get(document.uri.toString())
    if (open) await this.draw(document, open)
  }

  async draw(document, open) {
    const program = this.program()
    if (!program) return
    const turn = ++open.turn
    const made = document.uri.scheme === 'file' && !document.isUntitled ? await compile(program, document.uri.fsPath) : await compile(program, '-', document.getText())
    if (turn !== open.turn || this.panels.get(document.uri.toString()) !== open) return // a later one is on its way, or it is closed
    open.panel.webview.html = made.html || failed(made.error)
  }
}

module.exports = { Previews, compile, failed }
