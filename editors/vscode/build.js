// Makes what is packaged: the client in one file, and copies of what stands elsewhere
// in the repository, which is not stored twice.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')

const here = (...parts) => path.join(__dirname, ...parts)
fs.rmSync(here('dist'), { recursive: true, force: true })
fs.mkdirSync(here('syntaxes'), { recursive: true })
fs.copyFileSync(here('..', 'meshd.tmLanguage.json'), here('syntaxes', 'meshd.tmLanguage.json'))
fs.copyFileSync(here('..', '..', 'LICENSE'), here('LICENSE.txt'))
esbuild.buildSync({
  entryPoints: [here('src', 'extension.js')], outfile: here('dist', 'extension.js'),
  bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], legalComments: 'eof', logLevel: 'warning',
})
