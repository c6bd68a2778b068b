import { rgPath } from '@vscode/ripgrep';
import { compileGlob } from '../../src/core/tools/path-glob.ts';
import { createWalkSearch } from '../../src/core/tools/walk-search.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { createRipgrep } from '../../src/node/ripgrep.ts';
import { createTextCodec } from '../../src/node/text-codec.ts';
import { describeSearchPort } from './search-port.ts';

describeSearchPort('ripgrep', () => createRipgrep({ binary: rgPath, compileGlob }));
describeSearchPort('walk', () =>
  createWalkSearch({ files: createDiskFiles(), codec: createTextCodec(), clock: systemClock }),
);
