// SPDX-License-Identifier: MIT
// Calls of litscope in WebAssembly, in node.
//
// usage: node engine.js FOLDER-OF-ENGINE OUTPUT TEST...: for each test OUTPUT/NUMBER.json, .log and .err, as
// `litscope check -json` leaves them where the test is called t.litmus; and models.err, what a command that is not there says
const fs = require('fs');
const {runEngine} = require('../../checker/page/run.js');
const [folder, output, ...tests] = process.argv.slice(2);
const Engine = require(fs.realpathSync(`${folder}/engine.js`));

const files = {};
for (const name of fs.readdirSync('models').filter(name => name.endsWith('.cat')))
  files[`/models/${name}`] = fs.readFileSync(`models/${name}`);
(async () => {
  const module = await WebAssembly.compile(fs.readFileSync(`${folder}/engine.wasm`));
  for (let i = 0; i < tests.length; i++) {
    const test = {...files, 't.litmus': fs.readFileSync(tests[i])};
    const run = await runEngine(Engine, module, test, ['check', '-json', '/result.json', 't.litmus'], ['/result.json']);
    fs.writeFileSync(`${output}/${i}.json`, run.files['/result.json'] || '');
    fs.writeFileSync(`${output}/${i}.log`, run.out);
    fs.writeFileSync(`${output}/${i}.err`, run.err);
    process.removeAllListeners(); // each engine in node has some, which would keep it and its memory
  }
  const other = await runEngine(Engine, module, files, ['list'], []);
  fs.writeFileSync(`${output}/models.err`, `${other.err}${other.status}\n`);
})();
