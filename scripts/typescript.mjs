// Lets a script import the project's TypeScript as it stands: `import './typescript.mjs'` first, then `await import('….ts')`.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
