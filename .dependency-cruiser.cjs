/** The path is the permission: what a folder may import is decided by its name, and held here. */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** The siblings inside core meet only in core/agent. */
const siblings = ['context', 'prompt', 'offload', 'memory', 'sessions', 'tools'];

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }, 'a cycle is two modules pretending to be one'),
    rule('no-unresolved', {}, { couldNotResolve: true, pathNot: '^vscode$' }, 'every import must resolve'),
    rule(
      'vscode-only-in-host',
      { path: '^(src|webview)/', pathNot: '^src/host/' },
      { path: '^vscode$|@types/vscode' },
      'only src/host knows the editor',
    ),
    rule(
      'core-is-pure',
      { path: '^src/core/' },
      { dependencyTypes: ['core'] },
      'src/core imports no node:* module',
    ),
    rule(
      'core-imports-core',
      { path: '^src/core/' },
      { path: '^(src/(node|providers|protocol|host)|webview|test)/' },
      'src/core knows nobody outside',
    ),
    rule(
      'model-imports-nothing',
      { path: '^src/core/model/' },
      { path: '^(src|webview|test|node_modules)/', pathNot: '^src/core/model/' },
      'plain data',
    ),
    rule(
      'ports-import-model',
      { path: '^src/core/ports/' },
      { path: '^(src|node_modules)/', pathNot: '^src/core/(ports|model)/' },
      'ports are interfaces over the model',
    ),
    ...siblings.map((folder) =>
      rule(
        `sibling-${folder}`,
        { path: `^src/core/${folder}/` },
        { path: '^src/core/', pathNot: `^src/core/(${folder}|ports|model|text)/` },
        'siblings meet in core/agent as values',
      ),
    ),
    rule(
      'text-imports-model',
      { path: '^src/core/text/' },
      { path: '^(src|webview|test)/', pathNot: '^src/core/(text|model)/' },
      'functions on strings, for every folder of core',
    ),
    rule(
      'adapters-see-ports',
      { path: '^src/(node|providers)/' },
      { path: '^src/', pathNot: '^src/(node|providers|core/(ports|model))/' },
      'adapters implement ports',
    ),
    rule(
      'sdk-in-one-file',
      { path: '^src/', pathNot: '^src/providers/anthropic' },
      { path: '@anthropic-ai/sdk' },
      'only providers/anthropic* knows the SDK',
    ),
    rule(
      'protocol-sees-model',
      { path: '^src/protocol/' },
      { path: '^src/', pathNot: '^src/(protocol|core/model)/' },
      'the protocol is data',
    ),
    rule(
      'webview-sees-protocol',
      { path: '^webview/' },
      { path: '^src/', pathNot: '^src/(protocol|core/model)/' },
      'the webview is another program',
    ),
    rule(
      'host-sees',
      { path: '^src/host/' },
      { path: '^(webview|test)/' },
      'the host never imports the webview',
    ),
    rule(
      'product-never-imports-tests',
      { path: '^(src|webview)/' },
      { path: '^test/' },
      'test support stays in test',
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // The library of the same name is looked for in the project's folder first.
    exclude: { path: ['^(dist|test/support/sample-project)/', '^esbuild\\.mjs$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
