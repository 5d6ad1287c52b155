// SPDX-License-Identifier: MIT
// Searches, apart from the page: a call at a time; who wants no more of one ends the worker.
let engineModule, engineFiles;
onmessage = async ({data}) => {
  if (data.module) {
    engineModule = data.module;
    engineFiles = data.files;
    return;
  }
  try {
    postMessage(await runEngine(Engine, engineModule, {...engineFiles, ...data.files}, data.args, data.read));
  } catch (fault) {
    postMessage({status: 3, out: '', err: `litscope: ${fault}\n`, files: {}});
  }
};
