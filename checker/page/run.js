// SPDX-License-Identifier: MIT
// One call of litscope, as the shell makes it: arguments and files in; status, output and files out.
//
// Each call has an engine of its own: nothing is left of the one before, however it ended.  `module` is a compiled
// WebAssembly.Module; files are texts by their path, those of `read` are what the call is to leave.
async function runEngine(Engine, module, files, args, read) {
  const engine = await Engine({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance));
      return {};
    },
    print: () => {},
    printErr: () => {},
    quit: (status, exit) => { throw exit; },
  });
  const fs = engine.FS;
  for (const path of Object.keys(files)) {
    fs.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
    fs.writeFile(path, files[path]);
  }
  fs.writeFile('/litscope-draw', ''); // child_server_stub.c plays its part
  fs.chmod('/litscope-draw', 0o755);
  // What is printed goes to files, byte for byte; a terminal would have colours.
  const printed = ['', '/out', '/err'];
  for (const stream of [1, 2]) {
    fs.close(fs.getStream(stream));
    fs.open(printed[stream], 'w');
  }
  let status, fault = '';
  try {
    status = engine.callMain(args);
  } catch (end) {
    if (end && end.name === 'ExitStatus') status = end.status;
    else {
      status = 3;
      fault = `litscope: ${/memory|OOM/i.test(end) ? 'out of memory' : end}\n`;
    }
  }
  const left = {};
  const take = path => {
    const found = fs.analyzePath(path);
    if (!found.exists) return;
    if (fs.isDir(found.object.mode)) fs.readdir(path).filter(name => name[0] !== '.').sort().forEach(name => take(`${path}/${name}`));
    else left[path] = fs.readFile(path, {encoding: 'utf8'});
  };
  read.forEach(take);
  const [out, err] = printed.slice(1).map(path => fs.readFile(path, {encoding: 'utf8'}));
  return {status, out, err: err + fault, files: left};
}
if (typeof module === 'object') module.exports = {runEngine};
