'use strict'
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

// find is the path of the program: the one of the settings, or the first on PATH. It is
// null where there is none that can be run.
function find(setting, env = process.env) {
  const chosen = (setting || '').trim()
  if (chosen !== '') {
    const full = chosen.startsWith('~/') ? path.join(os.homedir(), chosen.slice(2)) : chosen
    return path.isAbsolute(full) && runs(full) ? full : null
  }
  const names = process.platform === 'win32' ? ['meshd.exe', 'meshd.cmd'] : ['meshd']
  for (const folder of (env.PATH || env.Path || '').split(path.delimiter)) {
    for (const name of names) {
      const full = path.join(folder, name)
      if (path.isAbsolute(folder) && runs(full)) return full
    }
  }
  return null
}

function runs(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

// missing is what a person is told where the program is not found.
function missing(setting) {
  const chosen = (setting || '').trim()
  return chosen !== ''
    ? `meshd: the setting meshd.path is ${chosen}, which is not the full path of a program that can be run.`
    : 'meshd: the program meshd is not on PATH. Install it, or set meshd.path to where it is.'
}

module.exports = { find, missing }
