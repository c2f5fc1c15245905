// What stands in for the editor in tests: the part of its programming interface that
// the client and vscode-languageclient use. Providers that the client registers are
// kept, so that a test can ask them as the editor would; nothing is drawn.
'use strict'
const { EventEmitter: Emitter } = require('node:events')
const { fileURLToPath, pathToFileURL } = require('node:url')

class Disposable {
  constructor(dispose) { this.end = dispose }
  dispose() { this.end?.() }
  static from(...all) { return new Disposable(() => all.forEach(one => one.dispose())) }
}
class EventEmitter {
  constructor() {
    this.emitter = new Emitter()
    this.event = (listen, self, list) => {
      const bound = self ? listen.bind(self) : listen
      this.emitter.on('event', bound)
      const end = new Disposable(() => this.emitter.off('event', bound))
      list?.push(end)
      return end
    }
  }
  fire(value) { this.emitter.emit('event', value) }
  // settle waits for what the listeners do.
  async settle(value) { await Promise.all(this.emitter.listeners('event').map(listen => listen(value))) }
  dispose() { this.emitter.removeAllListeners() }
}
class Position {
  constructor(line, character) { Object.assign(this, { line, character }) }
}
class Range {
  constructor(start, end, line, character) {
    this.start = typeof start === 'number' ? new Position(start, end) : start
    this.end = typeof start === 'number' ? new Position(line, character) : end
  }
}
class Uri {
  constructor(scheme, path) { Object.assign(this, { scheme, path, authority: '', query: '', fragment: '' }) }
  get fsPath() { return this.scheme === 'file' ? fileURLToPath('file://' + this.path) : this.path }
  toString() { return this.scheme === 'file' ? 'file://' + this.path : `${this.scheme}:${this.path}` }
  with(change) { return new Uri(change.scheme ?? this.scheme, change.path ?? this.path) }
  static file(name) { return new Uri('file', pathToFileURL(name).pathname) }
  static parse(text) {
    const at = text.indexOf(':')
    return new Uri(text.slice(0, at), text.slice(at + 1).replace(/^\/\/[^/]*/, ''))
  }
}
class CodeActionKind {
  constructor(value) { this.value = value }
  append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part) }
  static Empty = new CodeActionKind('')
  static QuickFix = new CodeActionKind('quickfix')
  static Source = new CodeActionKind('source')
  static SourceFixAll = new CodeActionKind('source.fixAll')
}
class CancellationError extends Error {}
class CancellationTokenSource {
  constructor() { this.token = none }
  cancel() {}
  dispose() {}
}
const none = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() }

// record makes a class that keeps its arguments under names.
const record = (...names) => class {
  constructor(...values) { names.forEach((name, i) => { if (values[i] !== undefined) this[name] = values[i] }) }
}
const records = {
  CodeAction: record('title', 'kind'), Color: record('red', 'green', 'blue', 'alpha'), ColorInformation: record('range', 'color'), ColorPresentation: record('label'),
  CompletionItem: record('label', 'kind'), CompletionList: record('items', 'isIncomplete'), Diagnostic: record('range', 'message', 'severity'),
  DiagnosticRelatedInformation: record('location', 'message'), DocumentHighlight: record('range', 'kind'), DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'),
  FoldingRange: record('start', 'end', 'kind'), Hover: record('contents', 'range'), InlayHint: record('position', 'label', 'kind'), Location: record('uri', 'range'),
  MarkdownString: record('value'), ParameterInformation: record('label', 'documentation'), SignatureInformation: record('label', 'documentation'),
  SymbolInformation: record('name', 'kind', 'containerName', 'location'), TextEdit: record('range', 'newText'),
}

const events = {}
const published = new EventEmitter()
const event = name => (events[name] ??= new EventEmitter()).event
const providers = {}
const commands = {}
const state = { settings: {}, documents: [], messages: [], panels: [], found: new Map(), executed: [] }

const languages = new Proxy({
  match: (selector, document) => [selector].flat().some(one => one.language === document.languageId && (!one.scheme || one.scheme === document.uri.scheme)) ? 10 : 0,
  createDiagnosticCollection: () => ({
    set: (uri, list) => {
      state.found.set(uri.toString(), list)
      published.fire()
    },
    delete: uri => state.found.delete(uri.toString()), has: uri => state.found.has(uri.toString()),
    clear: () => state.found.clear(), dispose() {},
  }),
}, {
  get: (own, name) => own[name] ?? ((...args) => {
    const kind = name.replace(/^register|Provider$/g, '')
    providers[kind] = args.findLast(one => one && typeof one === 'object' && Object.keys(one).some(key => key.startsWith('provide')))
    return new Disposable(() => delete providers[kind])
  }),
})

const tell = kind => (text, ...choices) => {
  state.messages.push({ kind, text, choices })
  return Promise.resolve(undefined)
}
const workspace = new Proxy({
  get textDocuments() { return state.documents },
  notebookDocuments: [],
  get workspaceFolders() { return state.folder ? [{ uri: Uri.file(state.folder), name: 'root', index: 0 }] : undefined },
  getWorkspaceFolder: () => workspace.workspaceFolders?.[0],
  getConfiguration: section => ({ get: (key, otherwise) => state.settings[`${section}.${key}`] ?? otherwise, has: key => `${section}.${key}` in state.settings }),
  createFileSystemWatcher: () => ({ onDidCreate: event('created'), onDidChange: event('changed'), onDidDelete: event('deleted'), dispose() {} }),
  openTextDocument: async uri => state.documents.find(d => d.uri.toString() === uri.toString()),
  applyEdit: async () => true,
  fs: { stat: async () => ({ type: 1 }) },
}, { get: (own, name) => own[name] ?? (name.startsWith('on') ? event(name) : () => new Disposable()) })

const window = new Proxy({
  showErrorMessage: tell('error'), showWarningMessage: tell('warning'), showInformationMessage: tell('information'),
  createOutputChannel: () => new Proxy({ logLevel: 3 }, { get: (own, name) => own[name] ?? (name.startsWith('on') ? event(name) : text => { state.log = (state.log ?? '') + text + '\n' }) }),
  tabGroups: { all: [], onDidChangeTabs: event('tabs') }, visibleTextEditors: [],
  get activeTextEditor() { return state.active && { document: state.active } },
  withProgress: (_, work) => work({ report() {} }, none),
  createWebviewPanel: (type, title, column, options) => {
    const closed = new EventEmitter()
    const panel = { type, title, options, webview: { html: '' }, reveal() { this.revealed = true }, onDidDispose: closed.event, dispose() { closed.fire() } }
    state.panels.push(panel)
    return panel
  },
}, { get: (own, name) => name in own ? own[name] : name.startsWith('on') ? event(name) : () => new Disposable() })

const own = {
  version: '1.91.0', Disposable, EventEmitter, CodeActionKind, Position, Range, Uri, CancellationError, CancellationTokenSource, ...records, languages, workspace, window,
  env: { appName: 'test', language: 'en', openExternal: async () => true },
  commands: {
    registerCommand: (name, run) => {
      commands[name] = run
      return new Disposable(() => delete commands[name])
    },
    executeCommand: async (name, ...args) => {
      state.executed.push([name, ...args])
      return commands[name]?.(...args)
    },
  },
  // For tests alone.
  stand: { state, events, published, providers, commands, none },
}

// A class or an enumeration that has no part in a test: a member of an enumeration is
// a number of its own.
const numbers = new Map()
const plain = name => new Proxy(class { constructor(...args) { this.args = args } }, {
  get: (target, key) => {
    if (key in target || typeof key !== 'string') return target[key]
    const full = `${name}.${key}`
    if (!numbers.has(full)) numbers.set(full, numbers.size)
    return numbers.get(full)
  },
})
const others = `CallHierarchyIncomingCall CallHierarchyItem CallHierarchyOutgoingCall CodeActionTriggerKind CodeLens CompletionItemKind CompletionItemTag
CompletionTriggerKind DiagnosticSeverity DiagnosticTag DocumentHighlightKind DocumentLink FileType FoldingRangeKind InlayHintLabelPart InlineCompletionItem InlineCompletionList
InlineCompletionTriggerKind InlineValueEvaluatableExpression InlineValueText InlineValueVariableLookup LinkedEditingRanges LogLevel NotebookCellKind ProgressLocation RelativePattern
SelectionRange SemanticTokens SemanticTokensEdit SemanticTokensEdits SemanticTokensLegend SignatureHelp SignatureHelpTriggerKind SnippetString SnippetTextEdit SymbolKind SymbolTag TabInputCustom
TabInputNotebook TabInputText TabInputTextDiff TextDocumentSaveReason TypeHierarchyItem ViewColumn WorkspaceEdit`
for (const name of others.split(/\s+/)) own[name] = plain(name)
module.exports = own
