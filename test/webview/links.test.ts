import { describe, expect, it } from 'vitest';
import { linkTarget } from '../../webview/links.ts';

it.each(['.', ':1', 'a:', '#L1', '/', 'a'])('a megabyte of %j is read in linear time', (unit) => {
  const link = unit.repeat(1_000_000 / unit.length);
  for (const href of [link, `${link}!`, `${link}:`]) linkTarget(href);
});

describe('a link that a model wrote', () => {
  it.each([
    ['https://example.com/a?b#c', { kind: 'external', url: 'https://example.com/a?b#c' }],
    ['HTTP://example.com', { kind: 'external', url: 'http://example.com/' }],
    ['mailto:a@example.com', { kind: 'external', url: 'mailto:a@example.com' }],
    ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
    ['src/a.ts:12', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['src/a.ts:12:3', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['main.go:10', { kind: 'file', path: 'main.go', line: 10 }],
    ['src/a.ts#L12', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['src/a.ts#L12-L20', { kind: 'file', path: 'src/a.ts', line: 12 }],
    ['a%20b.md', { kind: 'file', path: 'a b.md' }],
    ['100%.md', { kind: 'file', path: '100%.md' }],
    ['file:///home/me/a.ts', { kind: 'file', path: '/home/me/a.ts' }],
    ['C:\\src\\a.ts:3', { kind: 'file', path: 'C:\\src\\a.ts', line: 3 }],
  ])('%s leads where it says', (href, target) => {
    expect(linkTarget(href)).toEqual(target);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'command:workbench.action.terminal.new',
    'vscode://extension/run',
    'file://server/share/a',
    '//server/share',
    '\\\\server\\share',
    '%5C%5Cserver%5Cshare',
    'a%00.ts',
    'https://',
    '#heading',
    '',
  ])('%j is no link', (href) => {
    expect(linkTarget(href)).toBeUndefined();
  });
});
