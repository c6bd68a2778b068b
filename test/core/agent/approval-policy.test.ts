import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalContext } from '../../../src/core/agent/approval-policy.ts';
import { decide } from '../../../src/core/agent/approval-policy.ts';
import type { ApprovalMode } from '../../../src/core/model/settings.ts';
import type { Access, ResolvedFile } from '../../../src/core/tools/define-tool.ts';

const root = { name: 'ws', location: '/ws' };
const inside = (path: string): ResolvedFile => ({
  location: `/ws/${path}`,
  label: path,
  root,
  inside: path,
});
const outside: ResolvedFile = { location: '/etc/hosts', label: '/etc/hosts' };
const folder: ResolvedFile = { location: '/ws', label: '.', root, inside: '' };

const read = (...files: ResolvedFile[]): Access => ({ kind: 'read', files });
const edit = (...files: ResolvedFile[]): Access => ({ kind: 'edit', files });
const command = (line: string, cwd = folder): Access => ({ kind: 'command', line, cwd });

const modes: readonly ApprovalMode[] = ['ask', 'acceptEdits', 'auto'];
const none: ReadonlySet<string> = new Set();
const within = (more: Partial<ApprovalContext> = {}): ApprovalContext => ({
  mode: 'ask',
  trusted: true,
  sessionGrants: none,
  always: none,
  outputs: '/outputs',
  ...more,
});

/** What the person would grant by a lasting answer to this call. */
function grantsFor(access: Access): ReadonlySet<string> {
  const verdict = decide(access, within());
  if (verdict.kind !== 'ask') throw new Error('nothing was asked');
  return new Set(verdict.grantKeys);
}

const isFreeAfter = (granted: string, line: string): boolean =>
  decide(command(line), within({ sessionGrants: grantsFor(command(granted)) })).kind === 'allow';

describe('by mode', () => {
  it.each([
    ['ask', 'allow', 'ask', 'ask'],
    ['acceptEdits', 'allow', 'allow', 'ask'],
    ['auto', 'allow', 'allow', 'allow'],
  ] as const)('%s: read %s, edit %s, command %s', (mode, ...expected) => {
    const kinds = [read(inside('a')), edit(inside('a')), command('make')].map(
      (access) => decide(access, within({ mode })).kind,
    );
    expect(kinds).toEqual(expected);
  });

  it.each(modes)('%s: what is remembered of the project is the agent’s own to change', (mode) => {
    expect(decide({ kind: 'memory' }, within({ mode }))).toEqual({ kind: 'allow', consent: 'free' });
    expect(decide({ kind: 'memory' }, within({ mode, trusted: false })).kind).toBe('refuse');
  });

  it('says what the consent was', () => {
    expect(decide(read(inside('a')), within())).toEqual({ kind: 'allow', consent: 'free' });
    expect(decide(command('make'), within({ mode: 'auto' }))).toEqual({ kind: 'allow', consent: 'mode' });
  });
});

describe('Z5: outside the workspace', () => {
  it.each(modes)('always asks, and only for once (%s)', (mode) => {
    for (const access of [read(outside), edit(inside('a'), outside), command('ls', outside)])
      expect(decide(access, within({ mode, always: { has: () => true } }))).toEqual({
        kind: 'ask',
        reason: 'outside the workspace: /etc/hosts',
        grantKeys: [],
      });
  });
});

describe('Z8: restricted mode', () => {
  it.each(modes)('runs nothing (%s)', (mode) => {
    for (const access of [read(inside('a')), edit(inside('a')), command('ls')])
      expect(decide(access, within({ mode, trusted: false, always: { has: () => true } })).kind).toBe(
        'refuse',
      );
  });
});

describe('lasting answers', () => {
  it('an edit stands for edits in that root, in the session or for good', () => {
    const granted = grantsFor(edit(inside('a')));
    expect(decide(edit(inside('b/c')), within({ sessionGrants: granted }))).toEqual({
      kind: 'allow',
      consent: 'session',
    });
    expect(decide(edit(inside('b/c')), within({ always: granted }))).toEqual({
      kind: 'allow',
      consent: 'always',
    });
    const other = { ...inside('x'), root: { name: 'other', location: '/other' } };
    expect(decide(edit(other), within({ always: granted })).kind).toBe('ask');
    expect(decide(command('make'), within({ always: granted })).kind).toBe('ask');
  });

  it('a command stands for the same words in the same folder', () => {
    expect(isFreeAfter('npm test', 'npm test')).toBe(true);
    expect(isFreeAfter('npm test', ' npm test\n')).toBe(true);
    expect(isFreeAfter('npm test', 'npm test -- --watch')).toBe(false);
    expect(isFreeAfter('npm test', 'npm  test')).toBe(false);
    const elsewhere = command('npm test', inside('sub'));
    expect(decide(elsewhere, within({ always: grantsFor(command('npm test')) })).kind).toBe('ask');
  });

  it.each([
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.GIT/config',
    '.vscode/tasks.json',
    '.plimsoll/MEMORY.md',
    '.env',
    'sub/.env.local',
    'keys/id_ed25519',
    'server.pem',
    '.npmrc',
    '.ssh/config',
  ])('%s is asked for every time, in every mode', (path) => {
    for (const mode of modes)
      expect(decide(edit(inside(path)), within({ mode, always: { has: () => true } }))).toEqual({
        kind: 'ask',
        reason: `${path} is a sensitive file`,
        grantKeys: [],
      });
  });

  it.each(['.env.example', '.gitignore', 'src/env.ts', '.github/workflows/ci.yml', 'git/x'])(
    '%s is a file like others',
    (path) => expect(decide(edit(inside(path)), within({ mode: 'acceptEdits' })).kind).toBe('allow'),
  );
});

describe('compound lines', () => {
  it.each(['a && b', 'a || b', 'a; b', 'a & b', 'a\nb', 'a; b;', 'b && a'])(
    '%j is free when both its commands are',
    (line) => {
      expect(isFreeAfter('a && b', line)).toBe(true);
      expect(isFreeAfter('a', line)).toBe(false);
    },
  );

  it('a separator in quotes is none', () => {
    expect(isFreeAfter('a && b', "a '&&' b")).toBe(false);
    expect([...grantsFor(command(`echo "x; y" && b`))]).toEqual(['command:/ws:echo "x; y"', 'command:/ws:b']);
  });

  it.each([
    'a && echo $(b)',
    'a && echo `b`',
    'a && $b',
    'a && "$b"',
    'a | b',
    'a |& b',
    'a|b',
    'a && b | a',
    'a &| b',
    'a > b; a',
    'a < b && b',
    'a <<X && b\nX',
    '(a) && b',
    '{ a; b; }',
    'a \\\n b; b',
    "a ' && b",
    'a && cd /tmp && b',
    'X=1; a',
    'alias a=b; a',
    'export PATH=. && a',
    'eval a; b',
    '. ./a; b',
    'if a; then b; fi',
    'a && b # c',
    'a && b!c',
    'a &&',
    '&& a',
    'a ;; b',
    'a ^& b && b',
    'a & %b%',
  ])('%j is one thing: only the very same line is free', (line) => {
    expect([...grantsFor(command(line))]).toHaveLength(1);
    expect(isFreeAfter(line, line)).toBe(true);
    expect(isFreeAfter('a && b', line)).toBe(false);
  });

  it('what is piped is input to a program: grants for both do not make the pipe free', () => {
    const granted = grantsFor(command("echo 'rm -rf .' && sh"));
    const piped = command("echo 'rm -rf .' | sh");
    expect(decide(piped, within({ sessionGrants: granted })).kind).toBe('ask');
  });

  it('whatever the line, a grant for it makes it free, and a longer line is not', () => {
    const piece = fc.constantFrom('a', 'b', ' ', '&&', '|', ';', '&', '\n', '"', "'", '$x', '\\', '(', '>');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 10 }), (pieces) => {
        const line = pieces.join('');
        fc.pre(line.trim() !== '');
        expect(isFreeAfter(line, line)).toBe(true);
        expect(isFreeAfter(line, `${line} && evil`)).toBe(false);
        expect(isFreeAfter(line, `evil ${line}`)).toBe(false);
      }),
    );
  });
});
