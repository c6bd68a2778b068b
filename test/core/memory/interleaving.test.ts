import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEARNT } from '../../../src/core/memory/document.ts';
import { LinePlaces } from '../../../src/core/memory/line-places.ts';
import { mergeDocuments } from '../../../src/core/memory/merge.ts';
import { parseDocument } from '../../../src/core/memory/parse.ts';
import { changesOf, documentOf } from '../../../src/core/memory/reconcile.ts';
import { renderDocument } from '../../../src/core/memory/render.ts';
import type { Memory } from '../../../src/core/model/memory.ts';
import { memory, wordsOf } from './memory-texts.ts';

/** A file, a store and who writes to them: what the project's memory does with both, without disks and locks. */
class World {
  file = '# Notes\n\n- first\n\nProse.\n';
  readonly store = new Map<string, Memory>();
  readonly forgotten = new Map<string, Memory>();
  readonly places = new LinePlaces();
  readonly versions: string[] = [];
  /** lines that somebody wrote and nobody has taken out */
  readonly expected = new Set<string>();
  #base = '';
  #now = 0;
  #next = 0;

  constructor() {
    this.sync();
  }

  /** Somebody made this of that. */
  wrote(before: string, after: string): void {
    const [old, now] = [wordsOf(parseDocument(before)), wordsOf(parseDocument(after))];
    // A heading of ours that is left without what was below it is ours again with the next that is learnt.
    for (const line of now) if (!old.includes(line) && line !== LEARNT) this.expected.add(line);
    for (const line of old) if (!now.includes(line)) this.expected.delete(line);
  }

  sync(edit?: { readonly base: string; readonly text: string }): void {
    this.wrote(this.#base, this.file);
    if (edit !== undefined) this.wrote(edit.base, edit.text);
    let document = parseDocument(this.file);
    if (edit !== undefined)
      document = mergeDocuments({
        ...{ base: parseDocument(edit.base), mine: parseDocument(edit.text), theirs: document },
      }).document;
    const base = parseDocument(this.#base);
    this.places.note(base);
    const memories = [...this.store.values()];
    const merged = mergeDocuments({
      base,
      mine: document,
      theirs: documentOf(base, memories, this.places.items),
    });
    const agreed = changesOf({
      document: merged.document,
      memories,
      newId: () => this.newId(),
      nowMs: ++this.#now,
      isForgotten: (id) => this.forgotten.has(id),
      past: (id) => this.forgotten.get(id),
    });
    for (const change of agreed.changes) {
      if (change.kind === 'put') this.put(change.memory);
      if (change.kind === 'forget') this.forget(change.id);
    }
    this.places.note(agreed.document);
    this.file = this.#base = renderDocument(agreed.document, { endsAt: this.#now % 7 });
    this.versions.push(this.file);
  }

  newId(): string {
    return `m${(this.#next++).toString(36).padStart(7, '0')}`;
  }

  put(put: Memory): void {
    this.store.set(put.id, put);
    this.forgotten.delete(put.id);
  }

  forget(id: string): void {
    const known = this.store.get(id);
    if (known !== undefined) this.forgotten.set(id, known);
    this.store.delete(id);
  }
}

type Line = (text: string, at: number) => readonly string[];

const add =
  (text: string, odd: string): Line =>
  (line) => [line, `${odd}${text}`];
const edit =
  (text: string): Line =>
  (line) => [/^[-*+] /.test(line) ? line.replace(/^([-*+] )[^<]*/, `$1${text} `) : text];
const remove: Line = () => [];

function changeLine(text: string, at: number, change: Line): string {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) =>
    line.trim() === '' || line.startsWith('## Learnt') || line.startsWith('<!--') ? [] : [index],
  );
  const place = places[at % Math.max(1, places.length)] ?? 0;
  return lines.flatMap((line, index) => (index === place ? change(line, index) : [line])).join('\n');
}

const what = fc.constantFrom('add bullet', 'add prose', 'add nested', 'edit', 'remove');
const action = fc.oneof(
  fc.record({ who: fc.constant('opens' as const), panel: fc.nat(1) }),
  fc.record({ who: fc.constant('types' as const), panel: fc.nat(1), what, at: fc.nat(30) }),
  fc.record({ who: fc.constant('saves' as const), panel: fc.nat(1) }),
  fc.record({ who: fc.constant('tab' as const), what, at: fc.nat(30) }),
  fc.record({
    who: fc.constant('agent' as const),
    what: fc.constantFrom('add', 'edit', 'remove'),
    at: fc.nat(30),
  }),
  fc.record({ who: fc.constant('git' as const), at: fc.nat(30) }),
  fc.record({ who: fc.constant('sync' as const) }),
);

describe('M1: whoever writes to the memory, in whatever order', () => {
  it('every line that nobody took out is there', () => {
    fc.assert(fc.property(fc.array(action, { maxLength: 25 }), play), { numRuns: 1_500 });
  });
});

function play(actions: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[]): void {
  const world = new World();
  const panels = [0, 1].map(() => ({ base: world.file, text: world.file }));
  let count = 0;
  const changed = (text: string, kind: string, at: number) => {
    const line = `line ${++count}`;
    if (kind === 'remove') return changeLine(text, at, remove);
    if (kind === 'edit') return changeLine(text, at, edit(line));
    const start = kind === 'add bullet' ? '- ' : kind === 'add prose' ? '' : '  - ';
    return changeLine(text, at, add(line, start));
  };
  for (const each of actions) {
    switch (each.who) {
      case 'opens':
        panels[each.panel] = { base: world.file, text: world.file };
        break;
      case 'types':
        panels[each.panel]!.text = changed(panels[each.panel]!.text, each.what, each.at);
        break;
      case 'saves': {
        const panel = panels[each.panel]!;
        world.sync(panel);
        panels[each.panel] = { base: world.file, text: world.file };
        break;
      }
      case 'tab':
        world.file = changed(world.file, each.what, each.at);
        break;
      case 'git':
        world.file = `${world.versions[each.at % world.versions.length]}- pulled ${++count}\n`;
        break;
      case 'agent':
        agentActs(world, each, `learnt ${++count}`);
        break;
      case 'sync':
        world.sync();
    }
  }
  world.sync();
  expect(wordsOf(parseDocument(world.file))).toEqual(expect.arrayContaining([...world.expected]));
  const ids = [...world.file.matchAll(/<!-- (m[0-9a-z]{7})/g)].map(([, id]) => id);
  expect(ids.toSorted()).toEqual([...world.store.keys()].toSorted());
  const { file } = world;
  const before = [...world.store.values()];
  world.sync();
  expect(parseDocument(world.file)).toEqual(parseDocument(file));
  expect([...world.store.values()]).toEqual(before);
}

function agentActs(world: World, act: { readonly what: string; readonly at: number }, text: string): void {
  const known = [...world.store.values()][act.at % Math.max(1, world.store.size)];
  if (act.what === 'add' || known === undefined) {
    world.put(memory(world.newId(), text));
    world.expected.add(text);
    return;
  }
  for (const line of known.text.split('\n')) world.expected.delete(line.replace(/^[-*+] /, ''));
  if (act.what === 'remove') world.forget(known.id);
  else {
    world.put({ ...known, text });
    world.expected.add(text);
  }
}
