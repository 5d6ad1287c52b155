// SPDX-License-Identifier: MIT
'use strict';
// Starts litscope-lsp for tests, kernels and models; all the rest is the server's.
const {workspace} = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');
let client;
exports.activate = () => {
  const settings = workspace.getConfiguration('litscope');
  client = new LanguageClient('litscope', {command: settings.get('server'), args: settings.get('options')},
    {documentSelector: [{language: 'litmus'}, {language: 'cat'}, {pattern: '**/*.{cl,comp,ptx,spvasm}'}]});
  return client.start();
};
exports.deactivate = () => client?.stop();
