// Drives the built client against the program that is named: node test/drive.js MESHD
// The editor is that of vscode.js; the protocol and the server are the real ones.
'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const Module = require('node:module')
const os = require('node:os')
const path = require('node:path')

const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  return name === 'vscode' ? path.join(__dirname, 'vscode.js') : resolve.call(this, name, ...rest)
}
const vscode = require('vscode')
const { state, events, published, providers, commands, none } = vscode.stand
const program = path.resolve(process.argv[2])
const manifest = require('../package.json')
const extension = require('..')

// open tells the client of a document.
function open(name, text, languageId = 'holo') {
  const file = path.join(state.folder, name)
  fs.writeFileSync(file, text)
  const document = {
    uri: vscode.Uri.file(file), fileName: file, languageId, version: 1, text, isUntitled: false, isDirty: false, isClosed: false,
    getText() { return this.text }, get lineCount() { return this.text.split('\n').length },
  }
  state.documents.push(document)
  events.onDidOpenTextDocument.fire(document)
  return document
}

// change replaces all of a document.
function change(document, text) {
  const old = document.text
  document.version++
  document.text = text
  const lines = old.split('\n')
  events.onDidChangeTextDocument.fire({
    document, reason: undefined,
    contentChanges: [{ range: new vscode.Range(0, 0, lines.length - 1, lines.at(-1).length), rangeOffset: 0, rangeLength: old.length, text }],
  })
}

// until waits for findings that the server publishes.
function until(what, holds) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(`${what} does not come; ${state.log}`)), 60_000)
    const look = () => {
      const value = holds()
      if (!value) return
      clearTimeout(late)
      listening.dispose()
      done(value)
    }
    const listening = published.event(look)
    look()
  })
}

const at = (document, text, more = 0) => {
  const offset = document.text.indexOf(text)
  assert.ok(offset >= 0, text)
  const before = document.text.slice(0, offset + more).split('\n')
  return new vscode.Position(before.length - 1, before.at(-1).length)
}
const whole = document => new vscode.Range(0, 0, document.lineCount, 0)
const applied = (document, edits) => {
  const lines = document.text.split('\n')
  const offset = p => lines.slice(0, p.line).reduce((sum, line) => sum + line.length + 1, 0) + p.character
  return [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((text, e) => text.slice(0, offset(e.range.start)) + e.newText + text.slice(offset(e.range.end)), document.text)
}

async function main() {
  state.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meshd-vscode-'))
  process.on('exit', () => fs.rmSync(state.folder, { recursive: true, force: true }))
  const context = { subscriptions: [] }

  // Without the program: a message that says so, commands that do no harm, no server.
  const searched = process.env.PATH
  process.env.PATH = state.folder
  await extension.activate(context)
  assert.match(state.messages.at(-1).text, /meshd is not on PATH.*meshd\.path/)
  assert.equal(state.messages.at(-1).kind, 'error')
  state.settings['meshd.path'] = 'meshd'
  await commands['meshd.restart']()
  assert.match(state.messages.at(-1).text, /setting meshd\.path is meshd, which is not the full path/)
  assert.equal(providers.CompletionItem, undefined)
  state.settings['meshd.path'] = ''
  const bin = path.join(state.folder, 'bin')
  fs.mkdirSync(bin)
  fs.symlinkSync(program, path.join(bin, 'meshd'))
  process.env.PATH = bin + path.delimiter + searched
  const told = state.messages.length
  await commands['meshd.restart']() // found on PATH now
  assert.deepEqual(state.messages.slice(told), [])
  for (const one of manifest.contributes.commands) assert.ok(commands[one.command], one.command)

  // Findings of a document that opens, and of a change.
  fs.writeFileSync(path.join(state.folder, 'far.holo'), 'object "Faraway" { }\n')
  const lamp = open('lamp.holo', 'object "Lamp" @grabable {\n  color: "red"\n}\n')
  const key = lamp.uri.toString()
  const found = await until('a finding', () => state.found.get(key)?.length && state.found.get(key))
  assert.equal(found[0].code?.value ?? found[0].code, 'TRT001')
  assert.match(found[0].message, /Did you mean '@grabbable'/)
  const text = 'object "Lamp" @grabbable(hand: "left") {\n    color: "red"\n  onClick: () => clamp(1, 2, 3)\n  on_click() { emit "door opened" }\n}\n'
  change(lamp, text)
  await until('no warning any more', () => state.found.get(key)?.every(one => !/TRT001/.test(one.code?.value ?? one.code)))

  const labels = async (document, position) => {
    const got = await providers.CompletionItem.provideCompletionItems(document, position, none, { triggerKind: 0 })
    return (got.items ?? got).map(item => item.label.label ?? item.label)
  }
  assert.ok((await labels(lamp, at(lamp, '@grabbable', 4))).includes('grabbable'))
  const hover = await providers.Hover.provideHover(lamp, at(lamp, 'grabbable', 2), none)
  assert.match([hover.contents].flat()[0].value, /The user can pick the object up/)
  const help = await providers.SignatureHelp.provideSignatureHelp(lamp, at(lamp, '2, 3'), none, { triggerKind: 1, isRetrigger: false })
  assert.equal(help.signatures[0].label, 'clamp(value: number, low: number, high: number): number')
  assert.equal(help.activeParameter, 1)
  const marks = await providers.DocumentHighlight.provideDocumentHighlights(lamp, at(lamp, 'grabbable', 2), none)
  assert.equal(marks.length, 1)
  const symbols = await providers.WorkspaceSymbol.provideWorkspaceSymbols('fara', none)
  assert.equal(symbols[0].name, 'Faraway')

  const colors = await providers.Color.provideDocumentColors(lamp, none)
  assert.deepEqual({ ...colors[0].color }, { red: 1, green: 0, blue: 0, alpha: 1 })
  const written = await providers.Color.provideColorPresentations(new vscode.Color(0, 0, 1, 1), { document: lamp, range: colors[0].range }, none)
  assert.equal(written[0].label, '#0000ff')
  assert.match(applied(lamp, [written[0].textEdit]), /color: "#0000ff"/)

  const options = { tabSize: 2, insertSpaces: true }
  const formatted = applied(lamp, await providers.DocumentFormattingEdit.provideDocumentFormattingEdits(lamp, options, none))
  assert.match(formatted, /\n {2}color: "red"\n[^]*\n {2}on_click\(\) \{\n {4}emit "door opened"\n {2}\}\n\}\n$/)
  const line = applied(lamp, await providers.DocumentRangeFormattingEdit.provideDocumentRangeFormattingEdits(lamp, new vscode.Range(1, 0, 1, 5), options, none))
  assert.equal(line, text.replace('    color', '  color'))
  await commands['meshd.format']()
  assert.ok(state.executed.some(([name]) => name === 'editor.action.formatDocument'))

  // The target of the settings: what it leaves out stands at the node after a rest.
  state.settings['meshd.target'] = 'gltf'
  const refreshed = new Promise((done, fail) => {
    setTimeout(() => fail(new Error('no hints of losses come')), 60_000).unref()
    providers.InlayHints.onDidChangeInlayHints(done)
  })
  await events.onDidChangeConfiguration.settle({ affectsConfiguration: name => name === 'meshd.target' })
  await refreshed
  const hints = await providers.InlayHints.provideInlayHints(lamp, whole(lamp), none)
  assert.ok(hints.some(hint => /^gltf leaves out .*behaviour/.test(hint.label)), JSON.stringify(hints))

  // The preview: the page of the source as it is saved, then why there is none.
  fs.writeFileSync(lamp.uri.fsPath, text)
  state.active = lamp
  await commands['meshd.preview']()
  const panel = state.panels[0]
  assert.match(panel.webview.html, /^<!DOCTYPE html>[^]*Content-Security-Policy[^]*Lamp/)
  assert.deepEqual([panel.options.enableScripts, panel.options.localResourceRoots], [true, []])
  fs.writeFileSync(lamp.uri.fsPath, 'object "<Lamp>" {\n')
  await events.onDidSaveTextDocument.settle(lamp)
  assert.match(panel.webview.html, /No preview[^]*SYN001/)
  assert.doesNotMatch(panel.webview.html, /<script/)
  fs.writeFileSync(lamp.uri.fsPath, text)
  await commands['meshd.preview']()
  assert.equal(state.panels.length, 1)
  assert.match(panel.webview.html, /Lamp/)
  panel.dispose()
  state.active = { ...lamp, uri: new vscode.Uri('untitled', 'Untitled-1'), isUntitled: true, text: 'object "Draft" { }\n' }
  await commands['meshd.preview']() // of a text that is no file
  assert.match(state.panels[1].webview.html, /Draft/)
  state.active = undefined
  await commands['meshd.preview']()
  assert.match(state.messages.at(-1).text, /open a \.holo/)

  // A server that is restarted knows what is open.
  change(lamp, 'object "Lamp" @grabable { }\n')
  await until('a finding of the first server', () => state.found.get(key)?.some(one => /grabable/.test(one.message)))
  state.found.clear()
  await commands['meshd.restart']()
  await until('a finding of the second server', () => state.found.get(key)?.some(one => /grabable/.test(one.message)))
  await extension.deactivate()
  assert.equal(providers.CompletionItem, undefined)
  console.log('done')
}

main().then(() => process.exit(0), error => {
  console.error(error)
  process.exit(1)
})
