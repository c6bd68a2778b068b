import { equal, ok, throws } from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isOnDisk, locationOf, uriOf } from '../../src/host/locations.ts';

const VIRTUAL = [
  'memfs:/ws',
  'memfs:/',
  'memfs://box/ws/a%20b',
  'memfs://box/ws/a%23b%3Fc',
  'memfs://box/50%25/a%2520b',
  'vscode-vfs://github%2B7b22/owner/repo',
  'sftp://user%40host%3A22/home/user',
  'odd://a%2Fb%25%3Fc/ws',
  'odd://box/ws?ref%3Dmain%2Fx%23y#part/1',
];

describe('a location', () => {
  for (const written of VIRTUAL)
    it(`of ${written} leads back to it, and is not on disk`, () => {
      const uri = vscode.Uri.parse(written, true);
      const location = locationOf(uri);
      equal(isOnDisk(location), false);
      equal(uriOf(location).toString(), uri.toString());
    });

  it('of a folder that is spelt with a slash at its end is the folder’s', () => {
    equal(locationOf(vscode.Uri.parse('memfs://box/ws/')), 'memfs://box/ws');
  });

  it('on disk is a path, and leads back to it whatever is in its names', () => {
    for (const path of ['/ws', '/ws/a#b?c%20d.txt', '/ws/memfs:/x']) {
      ok(isOnDisk(path));
      equal(locationOf(uriOf(path)), path);
    }
    ok(isOnDisk('C:/ws'));
  });

  it('Z5: goes no way up', () => {
    for (const path of ['..', '.', '%2e%2e', '.%2E', 'a/%2e./b'])
      throws(() => uriOf(`memfs://box/ws/${path}`), RangeError, path);
  });
});
