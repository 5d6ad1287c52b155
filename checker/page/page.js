// SPDX-License-Identifier: MIT
'use strict';
// The page: an editor on one side, what litscope answers on the other. All answers are those of the command line, which
// runs as WebAssembly in a worker (run.js, search_worker.js); here they are asked for and shown.

const at = id => document.getElementById(id);
const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// ---- what the page carries ----

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
const unpacked = id => through(bytesOf(at(id).textContent), new DecompressionStream('gzip'));
const script = text => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));

// A worker that is asked one thing at a time; ending it is how a search is stopped.
class Asked {
  constructor(url, hello) {
    this.url = url;
    this.hello = hello;
  }
  ask(question) {
    if (!this.worker) {
      this.worker = new Worker(this.url);
      if (this.hello) this.worker.postMessage(this.hello);
    }
    return new Promise((done, ended) => {
      this.ended = ended;
      this.worker.onerror = event => { event.preventDefault(); this.end(event.message); };
      this.worker.onmessage = ({data}) => {
        this.ended = null;
        done(data);
      };
      this.worker.postMessage(question);
    });
  }
  end(why) {
    if (!this.ended) return;
    this.worker.terminate();
    this.worker = null;
    const ended = this.ended;
    this.ended = null;
    ended(new Error(why || 'stopped'));
  }
}

let engine, artist, carried;

// ---- what is shown ----

const OWN = 'own';
const state = {text: '', example: '', models: [], machines: [], variant: '', changed: {}, tab: ''};
let answer = {results: [], pictures: [], machines: [], log: '', json: '', marks: {}, messages: []};
let drawn = {list: [], index: 0, chosen: false};
let serial = 0, here = 0, zoom = 1;

const modelPath = name => `/models/${name}.cat`;
const isModel = name => name === OWN || name in state.changed || modelPath(name) in carried.files;
const modelText = name => state.changed[name] ?? carried.files[modelPath(name)] ?? carried.files[modelPath('sc')];
const shownText = () => (state.tab ? modelText(state.tab) : state.text);
const testName = () => /^\s*\S+\s+([\w.+-]+)/.exec(state.text)?.[1] || 'test';

// Names that a model's text includes, and theirs.
function included(name, seen = []) {
  for (const [, file] of modelText(name).matchAll(/^\s*include\s+"([\w.-]+)\.cat"/gm))
    if (isModel(file) && !seen.includes(file)) {
      seen.push(file);
      included(file, seen);
    }
  return seen;
}

// ---- the editor ----

const WORDS = {
  program: /\b(?:if|else|while|do|for|return|break|continue|int|long|unsigned|global|local|constant|volatile|atomic\w*|memory_\w+|barrier|work_group_barrier|exists|forall|final|filter|locations|scopeTree|scopes?|device|work_group|sub_group|system|not)\b/,
  model: /\b(?:let|rec|and|in|acyclic|irreflexive|empty|include|as|show|unshow|flag|if|then|else|end|procedure|call|begin|fun|match|with|forall|do|undefined_unless|enum|instructions|from|try|default)\b/,
};

// Pieces of a text by kind: [start, end, class].
function tokens(text, words) {
  const pattern = new RegExp(
    /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|\(\*(?=[\s*])[^]*?(?:\*\)|$)|"[^"\n]*")|(^\s*P\d+\b|\bP\d+(?=\s*[(@|;]))/.source +
      `|(${words.source})` + /|(\b(?:0x[\da-f]+|\d+)\b)/.source, 'gm');
  return [...text.matchAll(pattern)].map(m =>
    [m.index, m.index + m[0].length, m[1] ? 'c' : m[2] ? 'h' : m[3] ? 'w' : 'n']);
}

function render() {
  const text = shownText(), marks = [...(answer.marks[state.tab] || [])];
  if (here && !state.tab) marks.push([...lineSpan(text, here), 'here']);
  const pieces = text.length > 100000 ? marks : [...tokens(text, state.tab ? WORDS.model : WORDS.program), ...marks];
  const cuts = [...new Set([0, text.length, ...pieces.flatMap(p => [p[0], p[1]])])].sort((a, b) => a - b);
  const begins = pieces.slice().sort((a, b) => a[0] - b[0]);
  let next = 0, open = [], html = '';
  for (let i = 0; i + 1 < cuts.length; i++) {
    open = open.filter(p => p[1] > cuts[i]);
    while (next < begins.length && begins[next][0] <= cuts[i]) open.push(begins[next++]);
    const classes = open.filter(p => p[1] > cuts[i]).map(p => p[2]).join(' ');
    html += text.slice(cuts[i], cuts[i + 1]).split('\n').map(part =>
      part && classes ? `<span class="${classes}">${escape(part)}</span>` : escape(part)).join('\n');
  }
  at('mirror').innerHTML = html.split('\n').map(line => `<span class="l">${line}</span>`).join('');
}

function show() {
  const field = at('text');
  if (field.value !== shownText()) field.value = shownText();
  field.setAttribute('aria-label', state.tab ? `Text of the model ${state.tab}` : 'Text of the program');
  at('edited').hidden = !isChanged(state.tab);
  render();
}

// Other than the page's own text; what came from a file has no other.
const isChanged = name => name in state.changed && (name === OWN || modelPath(name) in carried.files);

function showTabs() {
  const used = state.models.length ? state.models : [...new Set(answer.results.map(r => r.model).filter(name => name && isModel(name)))];
  const names = ['', ...new Set(used.flatMap(name => [name, ...included(name)]))];
  if (!names.includes(state.tab)) state.tab = '';
  const words = names.slice(1).flatMap(name => [...modelText(name).matchAll(/\bif\s+(?:not\s+)?"([\w-]+)"/g)].map(m => m[1]));
  at('variants').replaceChildren(...[...new Set(words)].sort().map(value => element('option', {value})));
  at('tabs').replaceChildren(...names.map(name => {
    const tab = element('button', {type: 'button', textContent: name ? `${name}.cat${isChanged(name) ? ' *' : ''}` : 'Program'});
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', name === state.tab);
    tab.onclick = () => {
      state.tab = name;
      showTabs();
      show();
      [...at('tabs').children].find(t => t.getAttribute('aria-selected') === 'true').focus();
    };
    return tab;
  }));
}

// Where a line begins and ends, without the white space at its ends.
function lineSpan(text, line) {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0), content = lines[line - 1] || '';
  return [start + content.length - content.trimStart().length, start + content.trimEnd().length];
}

// Columns count bytes of UTF-8. Where something lacks, the word before it is what can be marked.
function placeOf(text, line, column, bytes) {
  const start = text.split('\n').slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  const content = new TextEncoder().encode(text.split('\n')[line - 1] || '');
  const length = end => new TextDecoder().decode(content.slice(0, end)).length;
  const from = start + length(column - 1), to = start + length(column - 1 + bytes);
  if (text.slice(from, to).trim()) return [from, to];
  const end = text.slice(0, from).trimEnd().length;
  return [Math.max(0, end - 1), end];
}

// ---- messages ----

// What stands on standard error: FILE:LINE:COLUMN: KIND: TEXT, the line, and carets below it.
function readMessages(err) {
  const messages = [], lines = err.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const found = /^(.*?):(\d+):(\d+): (error|warning|note): (.*)$/.exec(lines[i]);
    if (!found) {
      const said = lines[i].replace(/^litscope: (error: )?/, '');
      if (said.trim() && !/^\s+[\d| ]/.test(lines[i]) && !/`litscope help`/.test(said)) messages.push({kind: 'error', said});
      continue;
    }
    const [, file, line, column, kind, said] = found;
    const carets = /^\s*\|.*?(\^~*)\s*$/.exec(lines[i + 2] || '');
    const model = /([\w.-]+)\.cat$/.exec(file)?.[1];
    messages.push({kind, said, tab: model ?? '', line: +line, column: +column, bytes: carets ? carets[1].length : 1});
    if (/^\s*\d+ \|/.test(lines[i + 1] || '')) i += carets ? 2 : 1;
  }
  return messages;
}

function showMessages(messages) {
  answer.messages = messages;
  answer.marks = {};
  for (const m of messages) {
    if (!m.line) continue;
    const text = m.tab ? modelText(m.tab) : state.text;
    m.span = m.bytes ? placeOf(text, m.line, m.column, m.bytes) : lineSpan(text, m.line);
    for (const span of m.lines?.map(line => lineSpan(text, line)) ?? [m.span]) (answer.marks[m.tab] ??= []).push([...span, m.kind]);
  }
  at('messages').replaceChildren(...messages.map(m => {
    const place = m.lines ? '' : m.line ? `${m.tab ? m.tab + '.cat, line' : 'Line'} ${m.line}: ` : '';
    const item = element('button', {type: 'button', className: `is-${m.kind}`, textContent: `${place}${m.kind === 'error' ? '' : m.kind + ': '}${m.said}`});
    item.onclick = () => { if (m.span) goTo(m.tab, m.span, m.line); };
    return element('li', {}, item);
  }));
  render();
}

function goTo(tab, span, line) {
  state.tab = tab;
  showTabs();
  show();
  at('text').focus();
  at('text').setSelectionRange(...span);
  at('mirror').children[line - 1]?.scrollIntoView({block: 'nearest'});
}

// ---- asking ----

function say(text, wrong) {
  at('status').textContent = text;
  at('status').classList.toggle('wrong', !!wrong);
}

function working(is) {
  at('run').textContent = is ? 'Stop' : 'Run';
  document.body.dataset.busy = is ? 'yes' : 'no';
}

const changedFiles = () => Object.fromEntries(
  [...new Set([...Object.keys(state.changed), ...state.models.filter(m => m === OWN)])].map(name => [modelPath(name), modelText(name)]));

// One command about the program, or `tests`; more seconds than the limit of each end it, whatever it does.
function call(args, read, tests = {'test.litmus': state.text}) {
  const seconds = +at('limit').value, names = Object.keys(tests);
  const guard = setTimeout(() => engine.end('the limit was reached, and the search did not end by itself'), 2000 * seconds * names.length + 5000);
  return engine.ask({
    files: {...changedFiles(), ...Object.fromEntries(names.map(name => [`/${name}`, tests[name]]))},
    args: [args[0], '-timeout', String(seconds), ...args.slice(1), ...names],
    read,
  }).finally(() => clearTimeout(guard));
}

const variant = () => (state.variant ? ['-variant', state.variant] : []);
const chosenModels = () => [...(state.models.length ? ['-model', state.models.join(',')] : []), ...variant()];

async function check() {
  const run = ++serial;
  engine.end();
  working(true);
  say('Searching');
  at('trace').hidden = true;
  at('schedulers').replaceChildren();
  at('topic').hidden = !state.example;
  if (state.example) at('topic').firstElementChild.textContent = `All examples of this topic: ${topicOf(state.example)[0]}`;
  remember();
  await during(run, () => ask(() => run === serial));
}

// What `work` asks is asked for the run of this number alone; another one, or Stop, ends it.
async function during(run, work) {
  try {
    await work();
  } catch (fault) {
    if (run === serial) say(fault.message === 'stopped' ? 'Stopped' : `No answer: ${fault.message}`, true);
  }
  if (run === serial) working(false);
}

// The verdict first, then why, pictures, machines, progress, and pictures of what is forbidden, of which there may be very
// many: each is there as soon as it is known.
async function ask(current) {
  const begun = performance.now();
  const first = await call(['check', '-json', '/result.json', ...chosenModels()], ['/result.json']);
  if (!current()) return;
  const json = first.files['/result.json'] || '';
  let results = [];
  try { results = JSON.parse(json).results; } catch (fault) { /* an error is told in words */ }
  answer = {results, pictures: [], machines: [], log: first.out, json, marks: {}, messages: [], why: []};
  showWhy();
  showTabs();
  showMessages(readMessages(first.err));
  const errors = answer.messages.filter(m => m.kind === 'error').length, answered = results.filter(r => r.observation).length;
  say(answered ? `Answered in ${((performance.now() - begun) / 1000).toFixed(2)} s` :
    errors ? `${errors} ${errors === 1 ? 'error' : 'errors'}` : 'No answer', !answered);
  showAnswer();
  if (!results.some(r => r.states)) return;
  const second = await call(['check', '-why', '-json', '/result.json', ...chosenModels()], ['/result.json']);
  if (!current()) return;
  try { answer.why = JSON.parse(second.files['/result.json']).results; } catch (fault) { answer.why = []; }
  showWhy();
  showRaces();
  await askPictures('none', current);
  for (const machine of state.machines) if (current()) await askMachine(machine, current);
  if (current() && at('progress').open) await askProgress(current);
  if (current()) await askPictures('invalid', current);
  if (current() && at('topic').open) await askTopic(current);
}

// Executions that are allowed and (`through` invalid) those that are not: graphs, drawn when somebody looks at them.
async function askPictures(through, current) {
  const {files} = await call(['check', '-q', '-dot', '-o', '/o', '-show', 'all', '-through', through, '-instructions', 'hover',
    ...chosenModels()], ['/o']);
  if (!current()) return;
  const known = Object.fromEntries(answer.pictures.map(p => [p.path, p]));
  const found = Object.keys(files).map(path => known[path] || readGraph(path, files[path]));
  if (!found.length) return;
  answer.pictures = found.sort((a, b) => a.forbidden - b.forbidden || a.number - b.number);
  if (!drawn.chosen) drawn.list = [];
  showAnswer();
}

// ---- the answer ----

const keyOf = values => Object.entries(values).map(([name, value]) => `${name}=${value};`).join(' ');

// What a graph says of itself: `TEST: allowed by MODEL` or `forbidden by MODEL, axiom NAME: ...`, and the state.
function readGraph(path, graph) {
  const label = /^graph \[label="((?:[^"\\]|\\.)*)"/m.exec(graph)?.[1] ?? '';
  const [title, ...caption] = label.split('\\l').filter(line => line);
  const model = /(?:allowed|forbidden) by (.*?)(?:, |$)/.exec(title)?.[1];
  return {path, graph: graph.replace(/^graph \[label=.*\n/m, ''), title, state: caption[0] || '', model, forbidden: /-forbidden-\d+\.dot$/.test(path),
    number: +/-(\d+)\.dot$/.exec(path)[1]};
}

function showAnswer() {
  const results = answer.results.filter(r => r.states);
  at('verdicts').replaceChildren(...results.map(r => {
    const line = element('p', {className: 'verdict'}, `${r.model}: `);
    if (!r.complete) line.append(element('b', {className: 'no', textContent: `${r.limit} met`}), `, with ${r.states.length} states found`);
    else {
      const [, quantifier, asked] = /^(~?\w+) (.*)$/s.exec(r.condition), claim = /^(?:~exists|forall)$/.test(quantifier);
      line.append(element('b', {className: claim ? (r.verdict === 'Ok' ? 'yes' : 'no') : '', textContent: r.observation}),
        r.all_states === undefined ? `: ${r.matching} of ${r.matching + r.failing} executions meet ` :
          `: ${r.matching ? 'some execution meets ' : 'no execution was found that meets '}`, element('code', {textContent: asked}),
        claim ? (r.verdict === 'Ok' ? ', as the test claims' : `, but the test claims ${quantifier === 'forall' ? 'that all do' : 'that none does'}`) : '');
      if (r.bad) line.append('; ', element('b', {className: 'no', textContent: `undefined behaviour in ${r.bad}`}),
        ` (${r.flags.map(f => f.name).join(', ')})`);
      if (r.cut) line.append('; loops were followed for two rounds');
    }
    return line;
  }), ...answer.machines.map(machineLine));
  showTable(results);
  at('figure').hidden = !answer.pictures.length;
  if (answer.pictures.length && !drawn.list.some(p => answer.pictures.includes(p))) {
    const first = answer.pictures.find(p => /undefined: /.test(p.title)) || answer.pictures.find(p => p.forbidden) || answer.pictures[0];
    select(answer.pictures.filter(p => p.state === first.state && p.model === first.model));
  }
}

function showTable(results) {
  const rows = new Map();
  const row = (key, values) => rows.get(key) ?? rows.set(key, {values, allowed: {}, pictures: {}}).get(key);
  for (const r of results)
    for (const s of r.states) row(keyOf(s.values), s.values).allowed[r.model] = s.executions;
  for (const m of answer.machines)
    for (const values of m.states) row(keyOf(values), values).allowed[m.name] = 1;
  for (const p of answer.pictures) {
    const values = Object.fromEntries(p.state.split(/;\s*/).filter(part => part).map(part => part.split(/=(.*)/s).slice(0, 2)));
    (row(p.state, values).pictures[p.model] ??= []).push(p);
  }
  const names = [...new Set([...rows.values()].flatMap(r => Object.keys(r.values)))];
  if (!rows.size) return at('table').replaceChildren();
  const head = element('tr', {}, ...[...names, ...results.map(r => r.model), ...answer.machines.map(m => m.name)].map(name => element('th', {scope: 'col', textContent: name})));
  const body = [...rows.values()].map(r => element('tr', {},
    ...names.map(name => element('td', {className: 'v', textContent: r.values[name] ?? ''})),
    ...results.map(result => cellOf(r, result)), ...answer.machines.map(m => reachedCell(r, m, results[0]))));
  at('table').replaceChildren(element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
  press();
}

function cellOf(row, result) {
  const count = row.allowed[result.model], pictures = row.pictures[result.model] || [];
  const allowed = pictures.filter(p => !p.forbidden), listed = count ? allowed : pictures;
  const racy = allowed.some(p => /undefined: /.test(p.title));
  const text = count ? `allowed, ${count}×${racy ? ', undefined' : ''}` : pictures.length ? 'forbidden' : '';
  if (!listed.length) return element('td', {textContent: text || '–'});
  const button = element('button', {type: 'button', textContent: text, className: count && !racy ? 'yes' : 'no'});
  button.pictures = listed;
  button.onclick = () => select(listed, true);
  return element('td', {}, button);
}

function press() {
  for (const button of [...at('table').querySelectorAll('button')].filter(b => b.pictures))
    button.setAttribute('aria-pressed', button.pictures.includes(drawn.list[drawn.index]));
}

// The lines of -why, for each model that has some.
function showWhy() {
  const texts = answer.why.filter(r => r.why).map(r => [r.model, r.why]);
  at('why').replaceChildren(...texts.flatMap(([model, text]) => {
    const lines = element('pre', {className: 'why', tabIndex: 0}, ...text.trimEnd().split(/(\[line \d+\])/).map(part => {
      const line = +(/^\[line (\d+)\]$/.exec(part)?.[1] || 0);
      if (!line) return part;
      const button = element('button', {type: 'button', textContent: `line ${line}`});
      button.onclick = () => goTo('', lineSpan(state.text, line), line);
      return button;
    }));
    return [element('h2', {textContent: `Why, by ${model}`}), lines];
  }));
}

// The events of a race, on their lines.
function showRaces() {
  const races = new Map();
  for (const result of answer.why.filter(r => r.why && r.bad))
    for (const [, race] of result.why.matchAll(/^ {4}(P\d+ .* and P\d+ .*)$/gm)) {
      const lines = [...race.matchAll(/\[line (\d+)\]/g)].map(m => +m[1]);
      if (lines.length && !races.has(lines.join())) races.set(lines.join(), {kind: 'race', said: race, tab: '', line: lines[0], lines});
    }
  if (races.size) showMessages([...answer.messages, ...races.values()]);
}

// ---- pictures ----

function select(list, chosen) {
  drawn = {list, index: 0, chosen};
  draw();
  press();
}

async function draw() {
  const picture = drawn.list[drawn.index];
  at('caption').textContent = `${picture.title.replace(/^.*?: /, '')}: ${picture.state}`;
  at('which').textContent = drawn.list.length > 1 ? `${drawn.index + 1} of ${drawn.list.length}` : '';
  at('previous').hidden = at('next').hidden = drawn.list.length < 2;
  try {
    picture.svg ??= await layout(picture.graph);
  } catch (fault) {
    if (fault.message !== 'stopped') at('picture').textContent = `This could not be drawn: ${fault.message}`;
    return;
  }
  if (picture !== drawn.list[drawn.index]) return;
  const svg = document.importNode(new DOMParser().parseFromString(picture.svg, 'image/svg+xml').documentElement, true);
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', at('caption').textContent);
  svg.querySelector('.graph > polygon')?.remove(); // the page is the background
  svg.removeAttribute('height');
  for (const link of svg.querySelectorAll('a')) link.replaceWith(tooltip(link.getAttribute('xlink:title')), ...link.childNodes);
  for (const node of svg.querySelectorAll('.node')) {
    node.querySelector(':scope > title').remove();
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', node.querySelector('title')?.textContent || node.textContent.trim());
    node.setAttribute('tabindex', 0);
  }
  at('picture').replaceChildren(svg);
  placeLabels(svg);
  const {x, y, width, height} = svg.querySelector('.graph').getBBox(), shift = svg.querySelector('.graph').transform.baseVal.consolidate()?.matrix;
  svg.setAttribute('viewBox', `${x + (shift?.e ?? 0) - 4} ${y + (shift?.f ?? 0) - 4} ${width + 8} ${height + 8}`);
  svg.dataset.width = width + 8;
  resize();
}

// Graphviz puts labels on the middle of their edges. As in checker/draw/place_labels.c, each goes to the place beside its curve
// where it covers least of events, labels and curves; and thick edges go below thin ones.
function placeLabels(svg) {
  const edges = [...svg.querySelectorAll('.edge')].map(edge => {
    const path = edge.querySelector('path'), length = path.getTotalLength();
    const points = Array.from({length: 40}, (_, i) => path.getPointAtLength(length * i / 39));
    return {edge, points, label: edge.querySelector('text'), thick: path.getAttribute('stroke-width') === '3'};
  });
  const covered = [...svg.querySelectorAll('.node')].map(node => node.getBBox());
  const overlap = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
  for (const {points, label} of edges.filter(e => e.label)) {
    const {width, height, y} = label.getBBox(), drop = label.getAttribute('y') - y;
    let best, least = Infinity;
    [.5, .4, .6, .32, .68, .25, .75, .18, .82].forEach((along, k) => [-1, 1].forEach(side => {
      const i = Math.floor(along * 39), p = points[i], q = points[i + 1];
      const size = Math.hypot(q.x - p.x, q.y - p.y) || 1, nx = -(q.y - p.y) / size, ny = (q.x - p.x) / size;
      const away = Math.abs(nx) * width / 2 + Math.abs(ny) * height / 2 + 3;
      const place = {x: p.x + side * nx * away - width / 2, y: p.y + side * ny * away - height / 2, width, height};
      let cost = k;
      for (const box of covered) cost += 4 * overlap(place, box);
      for (const other of edges)
        for (const r of other.points)
          if (r.x > place.x && r.x < place.x + width && r.y > place.y && r.y < place.y + height) cost += 60;
      if (cost < least) [least, best] = [cost, place];
    }));
    covered.push(best);
    label.setAttribute('x', best.x + width / 2);
    label.setAttribute('y', best.y + drop);
  }
  const first = edges[0]?.edge;
  for (const {edge} of edges.filter(e => e.thick)) first.before(edge);
}

function tooltip(text) {
  const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  title.textContent = text;
  return title;
}

// As wide as it is drawn, or as there is room; the buttons make it more or less.
function resize() {
  const svg = at('picture').querySelector('svg');
  if (svg) svg.style.width = `${Math.min(svg.dataset.width * 4 / 3, Math.max(320, at('picture').clientWidth - 16)) * zoom}px`;
}

async function layout(graph) {
  artist.end();
  const guard = setTimeout(() => artist.end('it takes too long'), 20000);
  const {picture, fault} = await artist.ask({graph}).finally(() => clearTimeout(guard));
  if (fault) throw new Error(fault);
  return picture;
}

// The event that is pointed at or has the focus: what it is, and its line in the program.
function pointAt(event) {
  const said = event.target.closest?.('.node')?.getAttribute('aria-label') || '';
  at('event').textContent = said;
  pointTo(+(/^line (\d+):/.exec(said)?.[1] || 0));
}

function pointTo(line) {
  if (line === here) return;
  here = line;
  render();
  const shown = here && !state.tab && at('mirror').children[here - 1], editor = at('editor');
  if (shown && (shown.offsetTop < editor.scrollTop || shown.offsetTop + shown.offsetHeight > editor.scrollTop + editor.clientHeight))
    editor.scrollTop = shown.offsetTop - editor.clientHeight / 2;
}

// ---- machines ----

const PROTOCOL = /^adsm-|^sc$/;
const machineOption = name => [PROTOCOL.test(name) ? '-machine' : '-mapping', name];
const firstModel = () => [...(state.models.length ? ['-model', state.models[0]] : []), ...variant()];
const resultsOf = ({files}) => {
  try { return JSON.parse(files['/result.json'] || '{}').results || []; } catch (fault) { return []; }
};

// Which states a machine reaches, and whether the first model allows them.
async function askMachine(name, current) {
  const json = ['-q', '-json', '/result.json', ...machineOption(name)];
  const explored = await call(['explore', ...json], ['/result.json']);
  if (!current()) return;
  const [found] = resultsOf(explored);
  const machine = {name, states: found?.states || [], said: ''};
  answer.machines.push(machine);
  if (!found?.states) machine.said = readMessages(explored.err).map(m => m.said).join('; ') || 'no answer';
  else {
    const judged = await call(['verify', ...json, ...firstModel()], ['/result.json']);
    if (!current()) return;
    [machine.judged] = resultsOf(judged);
    if (!machine.judged?.answer) machine.said = readMessages(judged.err).map(m => m.said).join('; ') || 'no answer';
  }
  showAnswer();
  const bad = machine.judged?.outcome;
  if (bad && at('trace').hidden) await askRun(name, bad, current);
}

function machineLine({name, judged, said}) {
  const line = element('p', {className: 'verdict'}, `${name}: `);
  if (said) line.append(element('b', {className: 'no', textContent: said}));
  if (!judged?.answer) return line;
  const sound = judged.answer === 'Sound';
  line.append(element('b', {className: sound ? 'yes' : 'no', textContent: judged.answer}));
  if (sound) line.append(`, shows only what ${judged.model} allows`);
  else if (judged.outcome) {
    const button = element('button', {type: 'button', className: 'plain', textContent: 'a shortest run'});
    button.onclick = () => askOf(current => askRun(name, judged.outcome, current).then(seeRun));
    line.append(`: shows ${judged.outcome.replace(/^exists /, '')}, which ${judged.model} forbids; `, button);
  } else if (judged.reason) line.append(`: ${judged.reason}`);
  return line;
}

function reachedCell(row, machine, first) {
  if (!row.allowed[machine.name]) return element('td', {textContent: '–'});
  const condition = Object.entries(row.values).map(([name, value]) => `${name}=${value}`).join(' /\\ ');
  const button = element('button', {type: 'button', textContent: 'reached', title: 'Show a shortest run',
    className: !first || first.bad || row.allowed[first.model] ? 'yes' : 'no'});
  button.onclick = () => askOf(current => askRun(machine.name, condition || 'true', current).then(seeRun));
  return element('td', {}, button);
}

// Asks something else about the program that has its answer.
function askOf(work) {
  const run = ++serial;
  engine.end();
  working(true);
  return during(run, () => work(() => run === serial));
}

// A shortest run of a machine to a state.
async function askRun(name, condition, current) {
  const {out, err, files} = await call(['explore', '-q', ...machineOption(name), '-outcome', condition, '-o', '/o'], ['/o']);
  if (!current()) return;
  const [, state, run] = /^(?:Run of .* to|Execution under) (.*)\n([^]*)/m.exec(out) || [];
  if (!run) return say(readMessages(err).map(m => m.said).join('; ') || 'No run was found', true);
  showRun(`A shortest run of ${name} to ${state}`, run.trimEnd().split('\n'), Object.values(files)[0]);
}

// ---- progress ----

async function askProgress(current) {
  const asked = await call(['progress', '-q', '-json', '/result.json', '-svg', '-o', '/o'], ['/result.json', '/o']);
  if (!current()) return;
  const rows = resultsOf(asked).map(r => {
    const button = element('button', {type: 'button', className: r.answer === 'Ends' ? 'yes' : 'no', textContent: r.answer || r.limit || 'no answer'});
    button.disabled = !r.run;
    button.onclick = () => {
      showRun(`A run that does not end, although the scheduler is ${r.scheduler}`, r.run.trimEnd().split('\n').slice(1),
        Object.entries(asked.files).find(([path]) => path.endsWith(`-${r.scheduler}-run.svg`))?.[1]);
      seeRun();
    };
    return element('tr', {}, element('th', {scope: 'row', textContent: r.scheduler}), element('td', {textContent: OWED[r.scheduler] || ''}), element('td', {}, button));
  });
  const told = readMessages(asked.err).map(m => m.said).join('; ');
  at('schedulers').replaceChildren(rows.length ? element('table', {}, element('tbody', {}, ...rows)) : told || 'No answer');
}

const OWED = {
  fair: 'every thread gets turns', hsa: 'the lowest-numbered thread does', obe: 'threads that have made a step do',
  'hsa+obe': 'both of these', lobe: 'all threads up to the highest-numbered one that has made a step',
};

// ---- a whole topic ----

const topicOf = example => carried.topics.find(([, names]) => names.includes(example)) || ['', []];

// What the models say of every example of the topic; asked once for all of them.
async function askTopic(current) {
  const [topic, names] = topicOf(state.example), asked = JSON.stringify([topic, chosenModels(), state.changed]);
  if (at('topic').dataset.asked !== asked) {
    const tests = Object.fromEntries(names.map(name => [`${name}.litmus`, carried.tests[name]]));
    const results = resultsOf(await call(['check', '-q', '-json', '/result.json', ...chosenModels()], ['/result.json'], tests));
    if (!current()) return;
    at('topic').dataset.asked = asked;
    const models = [...new Set(results.map(r => r.model).filter(model => model))];
    at('topic-answers').replaceChildren(element('table', {},
      element('thead', {}, element('tr', {}, ...['example', ...models].map(name => element('th', {scope: 'col', textContent: name})))),
      element('tbody', {}, ...names.map(name => topicRow(name, models, results)))));
  }
  for (const button of at('topic-answers').querySelectorAll('button')) button.setAttribute('aria-pressed', button.value === state.example);
}

// Without its folder, where that is clear.
const shortName = (name, names) => {
  const [, folder, short] = /^(.*)\/(.*)$/.exec(name);
  return names.some(other => other !== name && other.endsWith(`/${short}`)) ? `${short} (${folder})` : short;
};

function topicRow(name, models, results) {
  const button = element('button', {type: 'button', value: name, textContent: shortName(name, topicOf(name)[1])});
  button.onclick = () => take(name);
  return element('tr', {}, element('th', {scope: 'row'}, button), ...models.map(model => {
    const r = results.find(one => one.file === `${name}.litmus` && one.model === model);
    const said = !r ? '–' : r.bad ? `${r.observation}, undefined` : r.observation || r.limit || 'no answer';
    return element('td', {textContent: said, className: r?.bad ? 'no' : ''});
  }));
}

// ---- a run, step by step ----

let steps = [], step = 0;

// Lines of a run: numbered ones are steps, others stand between or after them.
function showRun(title, lines, svg) {
  at('trace-title').textContent = title;
  steps = [];
  step = 0;
  at('trace-steps').replaceChildren(...lines.map(text => {
    const [, said] = /^ +\d+ {2}(.*)$/.exec(text) || [];
    const item = element('li', {textContent: said ?? text.trim()});
    if (said === undefined) {
      item.className = 'between';
      return item;
    }
    const number = item.value = steps.length + 1;
    item.onclick = () => goToStep(number);
    steps.push({item});
    return item;
  }));
  showDiagram(svg);
  at('trace').hidden = false;
  goToStep(0);
}

const seeRun = () => at('trace').scrollIntoView({block: 'nearest'});

// In a tree of its own: the diagram's style is for it alone.
function showDiagram(svg) {
  const root = at('diagram').shadowRoot || at('diagram').attachShadow({mode: 'open'});
  root.replaceChildren();
  at('diagram').hidden = !svg;
  if (!svg) return;
  const drawn = document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
  Object.assign(drawn.style, {width: '100%', maxWidth: `${parseFloat(drawn.getAttribute('width'))}px`, minWidth: '32rem', height: 'auto'});
  root.append(drawn);
  drawn.querySelectorAll('.step').forEach((group, i) => {
    if (!steps[i]) return;
    const line = +group.dataset.line || 0, title = group.querySelector('title');
    Object.assign(steps[i], {group, line});
    if (title) title.textContent = `line ${line}: ${(state.text.split('\n')[line - 1] || '').trim()}`;
    group.onclick = () => goToStep(i + 1);
    group.onmouseover = () => pointTo(line);
    group.onmouseleave = () => pointTo(steps[step - 1]?.line || 0);
  });
}

function goToStep(number) {
  step = Math.max(0, Math.min(steps.length, number));
  at('step-number').textContent = `${step} of ${steps.length} steps`;
  at('back').disabled = !step;
  at('forth').disabled = step === steps.length;
  steps.forEach(({item, group}, i) => {
    item.className = step && i >= step ? 'later' : '';
    if (i === step - 1) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
    group?.setAttribute('opacity', step && i >= step ? .25 : 1);
  });
  const list = at('trace-steps'), item = steps[Math.max(step - 1, 0)]?.item;
  if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  pointTo(steps[step - 1]?.line || 0);
}

// ---- links ----

const letters = bytes => btoa(Array.from(new Uint8Array(bytes), b => String.fromCharCode(b)).join(''))
  .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const packed = async text => letters(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));
const opened = async text => new TextDecoder().decode(
  await through(bytesOf(text.replace(/-/g, '+').replace(/_/g, '/')), new DecompressionStream('deflate-raw')));

// An example by its name; any other program, and what is changed of models, packed.
async function fragment() {
  const parts = [];
  if (state.example && carried.tests[state.example] === state.text) parts.push(`test=${state.example}`);
  else parts.push(`program=${await packed(state.text)}`);
  if (state.models.length) parts.push(`models=${state.models.join(',')}`);
  if (state.machines.length) parts.push(`machines=${state.machines.join(',')}`);
  if (state.variant) parts.push(`variant=${encodeURIComponent(state.variant)}`);
  if (at('progress').open) parts.push('progress');
  if (Object.keys(state.changed).length) parts.push(`changed=${await packed(JSON.stringify(state.changed))}`);
  return '#' + parts.join('&');
}

async function remember() {
  const run = serial, hash = await fragment();
  if (run !== serial) return;
  history.replaceState(null, '', hash + (document.body.classList.contains('card') ? '&card' : ''));
  const finding = carried.findings.find(f => f.address === hash.slice(1));
  at('finding').hidden = !finding;
  at('finding').replaceChildren(...(finding ? [element('b', {textContent: finding.where}), `: ${finding.said}`] : []));
  if (state.example) at('example').value = finding ? `#${finding.address}` : state.example;
}

async function open(hash) {
  const parts = Object.fromEntries(hash.replace(/^#/, '').split('&').map(part => part.split(/=(.*)/s).slice(0, 2)));
  Object.assign(state, {text: '', example: '', models: [], machines: [], variant: '', changed: {}, tab: ''});
  document.body.classList.toggle('card', 'card' in parts);
  let fault = '';
  try {
    if (parts.changed)
      for (const [name, text] of Object.entries(JSON.parse(await opened(parts.changed))))
        if (/^[\w.-]+$/.test(name)) {
          state.changed[name] = String(text);
          offerModel(name);
        }
    if (parts.program) state.text = await opened(parts.program);
    if (parts.variant) state.variant = decodeURIComponent(parts.variant);
  } catch (wrong) {
    fault = 'this link is damaged';
  }
  if (parts.models) state.models = parts.models.split(',').filter(isModel);
  if (parts.machines) state.machines = parts.machines.split(',').filter(name => carried.machines.includes(name));
  if (!parts.program || fault) state.example = parts.test in carried.tests ? parts.test : carried.first;
  if (state.example) state.text = carried.tests[state.example];
  at('example').value = state.example;
  at('progress').open = 'progress' in parts || isOfProgress();
  chosen();
  showTabs();
  show();
  if (fault) return say(fault, true);
  check();
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    const was = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = was; }, 1200);
  } catch (fault) {
    prompt('Copy this:', text);
  }
}

function save(name, text, type) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Programs and models from files; models are asked by the names of their files, those that another one includes through it.
async function takeFiles(files) {
  const models = [];
  for (const file of files) {
    const [, name, isCat] = /^(.*?)(?:(\.cat)|\.\w+)?$/s.exec(file.name), text = await file.text();
    if (isCat) {
      const model = name.replace(/[^\w.-]/g, '_');
      models.push(model);
      state.changed[model] = text;
      offerModel(model);
    } else Object.assign(state, {text, example: '', tab: ''});
  }
  at('example').value = state.example;
  if (models.length) {
    state.models = models.filter(name => !models.some(other => other !== name && included(other).includes(name)));
    state.tab = state.models[0] || '';
  }
  chosen();
  showTabs();
  show();
  check();
}

// ---- beginning ----

function chosen() {
  at('variant').value = state.variant;
  at('model-names').textContent = (state.models.join(', ') || 'by language') + (state.variant && ` (${state.variant})`);
  for (const box of at('model-list').querySelectorAll('input')) box.checked = state.models.includes(box.value);
  at('machine-names').textContent = state.machines.join(', ') || 'none';
  for (const box of at('machine-list').querySelectorAll('input')) box.checked = state.machines.includes(box.value);
}

// Examples of this topic ask whether their runs end.
const isOfProgress = () => /^Progress/.test(topicOf(state.example)[0]);

// Another example, for the models and machines that are chosen.
function take(example) {
  Object.assign(state, {example, text: carried.tests[example], tab: ''});
  if (isOfProgress()) at('progress').open = true;
  show();
  check();
}

function offerModel(name) {
  if ([...at('model-list').querySelectorAll('input')].some(box => box.value === name)) return;
  const title = name === OWN ? 'your own: begins as sequential consistency' : /"([^"]*)"/.exec(modelText(name))?.[1] || '';
  const box = element('input', {type: 'checkbox', value: name});
  box.onchange = () => {
    state.models = [...at('model-list').querySelectorAll('input:checked')].map(b => b.value);
    if (box.checked && name === OWN) state.tab = OWN;
    chosen();
    showTabs();
    show();
    check();
  };
  const label = element('label', {}, box, name, element('small', {textContent: title}));
  if (modelPath(name) in carried.files) at('model-list').append(label);
  else at('variant-label').after(label);
}

function fillMenus() {
  at('example').append(element('option', {value: '', textContent: 'your own', hidden: true}));
  at('example').append(element('optgroup', {label: 'What papers found'}, ...carried.findings.map(({title, address}) =>
    element('option', {value: `#${address}`, textContent: title}))));
  for (const [topic, names] of carried.topics)
    at('example').append(element('optgroup', {label: topic}, ...names.map(name => element('option', {value: name, textContent: shortName(name, names)}))));
  const models = Object.keys(carried.files).map(path => /^\/models\/(.*)\.cat$/.exec(path)?.[1]).filter(name => name && !/-base$/.test(name));
  for (const name of [...models, OWN]) offerModel(name);
  for (const name of carried.machines) {
    const box = element('input', {type: 'checkbox', value: name});
    box.onchange = () => {
      state.machines = [...at('machine-list').querySelectorAll('input:checked')].map(b => b.value);
      chosen();
      check();
    };
    const title = /<title>([^<]*)</.exec(carried.files[`/mappings/${name}.xml`])?.[1] || '';
    at('machine-list').append(element('label', {}, box, name, element('small', {textContent: title})));
  }
}

function listen() {
  let typing;
  const field = at('text');
  field.addEventListener('input', () => {
    if (!state.tab) {
      state.text = field.value;
      state.example = '';
      at('example').value = '';
    } else if (field.value === carried.files[modelPath(state.tab)]) delete state.changed[state.tab];
    else state.changed[state.tab] = field.value;
    answer.marks = {};
    at('edited').hidden = !isChanged(state.tab);
    render();
    clearTimeout(typing);
    typing = setTimeout(check, 300);
  });
  at('example').onchange = () => {
    if (at('example').value[0] === '#') return open(at('example').value);
    take(at('example').value);
  };
  at('run').onclick = () => {
    if (document.body.dataset.busy === 'yes') engine.end();
    else check();
  };
  at('limit').onchange = check;
  at('variant').onchange = () => {
    state.variant = at('variant').value.replace(/\s+/g, '');
    chosen();
    check();
  };
  at('open').onclick = () => at('files-in').click();
  at('files-in').onchange = () => takeFiles([...at('files-in').files]).then(() => { at('files-in').value = ''; });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    if (event.dataTransfer.files.length) takeFiles([...event.dataTransfer.files]);
  });
  at('undo').onclick = () => {
    delete state.changed[state.tab];
    showTabs();
    show();
    check();
  };
  at('previous').onclick = () => { drawn.index = (drawn.index + drawn.list.length - 1) % drawn.list.length; draw(); };
  at('next').onclick = () => { drawn.index = (drawn.index + 1) % drawn.list.length; draw(); };
  at('smaller').onclick = () => { zoom /= 1.25; resize(); };
  at('larger').onclick = () => { zoom *= 1.25; resize(); };
  at('picture').addEventListener('mouseover', pointAt);
  at('picture').addEventListener('mouseleave', pointAt);
  at('picture').addEventListener('focusin', pointAt);
  at('back').onclick = () => goToStep(step - 1);
  at('forth').onclick = () => goToStep(step + 1);
  at('progress').ontoggle = () => {
    remember();
    if (at('progress').open && !at('schedulers').firstChild && document.body.dataset.busy === 'no') askOf(askProgress);
  };
  at('topic').ontoggle = () => {
    if (at('topic').open && document.body.dataset.busy === 'no') askOf(askTopic);
  };
  const address = async card => location.href.replace(/#.*/, '') + await fragment() + (card ? '&card' : '');
  at('link').onclick = async () => copy(await address(), at('link'));
  at('card').onclick = async () => copy(`<iframe src="${escape(await address(true))}" width="800" height="600" title="litscope: ${testName()}"></iframe>`, at('card'));
  at('save-test').onclick = () => save(`${testName()}.litmus`, state.text, 'text/plain');
  at('save-log').onclick = () => save(`${testName()}.log`, answer.log, 'text/plain');
  at('save-json').onclick = () => save(`${testName()}.json`, answer.json, 'application/json');
  at('save-model').onclick = () => {
    const name = state.tab || state.models[0] || answer.results[0]?.model;
    if (name && isModel(name)) save(`${name}.cat`, modelText(name), 'text/plain');
  };
  at('save-graph').onclick = () => {
    const picture = drawn.list[drawn.index];
    if (picture) save(picture.path.replace(/^.*\//, ''), picture.graph, 'text/vnd.graphviz');
  };
  at('save-picture').onclick = () => {
    const picture = drawn.list[drawn.index];
    if (picture?.svg) save(picture.path.replace(/^.*\/(.*)\.dot$/, '$1.svg'), picture.svg, 'image/svg+xml');
  };
  addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) check();
    if (event.key === 'Escape') for (const menu of document.querySelectorAll('.menu[open]')) { menu.open = false; menu.firstElementChild.focus(); }
  });
  addEventListener('click', event => {
    for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
  });
  addEventListener('hashchange', () => open(location.hash));
  addEventListener('resize', resize);
}

async function begin() {
  const text = async id => new TextDecoder().decode(await unpacked(id));
  const [code, files] = await Promise.all([text('engine-js'), text('files')]);
  carried = JSON.parse(files);
  fillMenus();
  listen();
  engine = new Asked(script(code), {module: await WebAssembly.compile(await unpacked('engine-wasm')), files: carried.files});
  artist = new Asked(script(await text('artist-js')));
  await open(location.hash);
}

begin().catch(fault => say(`This browser cannot run the page: ${fault.message}`, true));
