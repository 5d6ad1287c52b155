// SPDX-License-Identifier: MIT
// Puts the page together as one file.
//
// usage: node assemble.js ENGINE-FOLDER GRAPHVIZ-FOLDER VERSION LIBRARIES-FOLDER >index.html, at the root of the repository
const fs = require('fs'), zlib = require('zlib'), crypto = require('crypto');
const [engine, graphviz, version, libraries] = process.argv.slice(2);
const own = name => fs.readFileSync(`checker/page/${name}`, 'utf8');
const read = path => fs.readFileSync(path, 'utf8');
const packed = data => zlib.gzipSync(data, {level: 9}).toString('base64');
const listed = (folder, end) => fs.readdirSync(folder).filter(name => name.endsWith(end)).sort();

// ---- the examples, by topic ----

const tests = {};
for (const folder of fs.readdirSync('litmus').filter(name => fs.statSync(`litmus/${name}`).isDirectory()).sort())
  for (const name of listed(`litmus/${folder}`, '.litmus'))
    tests[`${folder}/${name.slice(0, -7)}`] = read(`litmus/${folder}/${name}`);
const numbered = new Intl.Collator('en', {numeric: true});
const topics = [], placed = new Set();
for (const line of own('topics.tsv').split('\n').filter(text => text && text[0] !== '#')) {
  const [topic, patterns] = line.split('\t'), names = [];
  for (const pattern of patterns.split(/ +/)) {
    const matches = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replace(/\*/g, '.*')}$`);
    const found = Object.keys(tests).filter(name => matches.test(name) && !placed.has(name)).sort(numbered.compare);
    found.forEach(name => placed.add(name));
    names.push(...found);
  }
  if (!names.length) throw new Error(`checker/page/topics.tsv: no test is under ${topic}`);
  topics.push([topic, names]);
}
const lost = Object.keys(tests).filter(name => !placed.has(name));
if (lost.length) throw new Error(`checker/page/topics.tsv: no topic for ${lost.join(', ')}`);

// ---- what litscope finds installed ----

const files = {}, machines = [];
for (const name of listed('models', '.cat')) files[`/models/${name}`] = read(`models/${name}`);
for (const name of listed('mappings', '.xml').filter(name => !name.startsWith('timing-'))) {
  files[`/mappings/${name}`] = read(`mappings/${name}`);
  if (/<(?:mapping|translation|sc|adsm)\b/.test(files[`/mappings/${name}`])) machines.push(name.slice(0, -4));
}
const findings = own('findings.tsv').split('\n').filter(text => text && text[0] !== '#').map(line => {
  const [title, where, address, , said] = line.split('\t');
  const {test, models = '', machines: asked = ''} = Object.fromEntries(new URLSearchParams(address));
  const known = test in tests && models.split(',').every(name => !name || files[`/models/${name}.cat`]) &&
    asked.split(',').every(name => !name || machines.includes(name));
  if (!known || !said) throw new Error(`checker/page/findings.tsv: ${title} asks for something that is not there`);
  return {title, where, address, said};
});
const carried = {files, tests, topics, findings, machines, first: 'rsp/RSP_Test2'};

// ---- licences ----

const licences = [
  ['litscope', read('LICENSE')],
  ['libxml2', read(`${libraries}/libxml2/Copyright`)],
  ['PCRE2', read(`${libraries}/pcre2/LICENCE`)],
  ['zlib', read(`${libraries}/zlib/zlib.h`).match(/Copyright[^]*?(?=\*\/)/)[0]],
  ['xxHash', read(`${libraries}/include/xxhash.h`).match(/Copyright[^]*?(?=\*\/)/)[0].replace(/^ \* ?/gm, '')],
  ['Emscripten', 'Copyright (c) 2010-2014 Emscripten authors, MIT; its C library is musl: Copyright (c) 2005-2020 Rich Felker, et al., MIT.'],
  ['@hpcc-js/wasm-graphviz', `${read(`${graphviz}/LICENSE`)}\nGraphviz itself: Eclipse Public License 2.0, https://graphviz.org/license/`],
].map(([name, text]) => `${name}\n\n${text.trim()}\n`).join(`\n${'-'.repeat(72)}\n\n`);

// ---- one file ----

// Graphviz as a script: a page from a folder may not import modules.
const library = read(`${graphviz}/dist/index.js`).replace(/\n\/\/# sourceMappingURL=.*/, '')
  .replace(/export\{.*?(\w+) as Graphviz\b.*?\};?/, (all, name) => `self.Graphviz = ${name};`);

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const script = `\n${own('page.js')}`;
const parts = {
  VERSION: version,
  STYLE: own('page.css'),
  LICENCES: escaped(licences),
  WASM: packed(fs.readFileSync(`${engine}/engine.wasm`)),
  ENGINE: packed([read(`${engine}/engine.js`), own('run.js'), own('search_worker.js')].join('\n')),
  ARTIST: packed([library, own('graphviz_worker.js')].join('\n')),
  FILES: packed(JSON.stringify(carried)),
  SCRIPT: script,
  HASH: `sha256-${crypto.createHash('sha256').update(script).digest('base64')}`,
};
process.stdout.write(own('page.html').replace(/@([A-Z]+)@/g, (all, name) => parts[name] ?? all));
