#!/usr/bin/env node
// Stands in for the VS Code executable where there is no desktop: takes the flags that @vscode/test-electron passes,
// runs the tests inside a real extension host, and exits with their code.
import './typescript.mjs';

const { runAsCode } = await import('../test/support/editor/code-stand-in.ts');
process.exit(await runAsCode(process.argv.slice(2)));
