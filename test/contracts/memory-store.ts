import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../src/core/ports/memory-store.ts';
import { forget, memory, put } from '../support/builders/memories.ts';

/** An implementation to hold against the contract. */
export interface MemoryStoreSubject {
  /** Opens the one store of the subject, as another window or after a restart. */
  open(): Promise<MemoryStore>;
  dispose(): void;
}

const texts = (store: MemoryStore) =>
  store
    .all()
    .map(({ text }) => text)
    .sort();
const found = (store: MemoryStore, query: string, limit = 10) =>
  store.search(query, limit).map((hit) => hit.memory.id);

/** What every {@link MemoryStore} holds. */
export function describeMemoryStore(name: string, create: () => MemoryStoreSubject): void {
  describe(`MemoryStore: ${name}`, () => {
    let subject: MemoryStoreSubject;
    let store: MemoryStore;
    const opened: MemoryStore[] = [];
    const open = async () => {
      const another = await subject.open();
      opened.push(another);
      return another;
    };
    const reopened = async () => {
      await store.dispose();
      return (store = await open());
    };
    beforeEach(async () => {
      subject = create();
      store = await open();
    });
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.dispose();
      subject.dispose();
    });

    it('begins empty, has a name, and has nothing to say', () => {
      expect(store.all()).toEqual([]);
      expect(store.name).toBe('project');
      expect(store.notice).toBeUndefined();
      expect(store.get('m1')).toBeUndefined();
      expect(store.search('anything', 5)).toEqual([]);
    });

    it('gives back what was put, in every field, now and after it was opened again', async () => {
      const whole = memory('m1', 'Two\nlines – größe 漢字 🎉 \'"; DROP', {
        ...{ category: 'decision', importance: 5, source: 'extractor', status: 'proposed', isPinned: true },
        ...{ origin: { sessionId: 's', entryId: 'e7' }, createdMs: 1.5, updatedMs: 1_764_547_200_000 },
        ...{ usedMs: 12, uses: 3, expiresMs: 99 },
      });
      await store.write([{ kind: 'put', memory: whole }, put('m2', 'Short.')]);
      for (const each of [store, await reopened()]) {
        expect(each.get('m1')).toEqual(whole);
        expect(each.get('m2')).toEqual(memory('m2', 'Short.'));
        expect(each.all()).toHaveLength(2);
      }
    });

    it('replaces what has the same id', async () => {
      await store.write([put('m1', 'Tabs.')]);
      await store.write([put('m1', 'Spaces.')]);
      for (const each of [store, await reopened()]) {
        expect(texts(each)).toEqual(['Spaces.']);
        expect([found(each, 'tabs'), found(each, 'spaces')]).toEqual([[], ['m1']]);
      }
    });

    it('counts uses, of what is there', async () => {
      await store.write([put('m1', 'Tabs.'), put('m2', 'Spaces.')]);
      await store.write([{ kind: 'used', ids: ['m1', 'm9'], atMs: 7 }]);
      await store.write([{ kind: 'used', ids: ['m1', 'm2'], atMs: 8 }]);
      for (const each of [store, await reopened()]) {
        expect(each.get('m1')).toMatchObject({ uses: 2, usedMs: 8 });
        expect(each.get('m2')).toMatchObject({ uses: 1, usedMs: 8 });
      }
    });

    it('M10: what was forgotten is gone from all that is read, can be restored, and for good when opened again', async () => {
      await store.write([put('m1', 'Use tabs.'), put('m2', 'Use spaces.')]);
      await store.write([forget('m1'), forget('m2')]);
      expect([store.all(), store.get('m1'), found(store, 'tabs')]).toEqual([[], undefined, []]);
      expect(store.isForgotten('m1')).toBe(true);
      expect(store.forgotten('m1')).toEqual(memory('m1', 'Use tabs.'));
      await store.write([{ kind: 'restore', id: 'm1' }]);
      expect(store.get('m1')).toEqual(memory('m1', 'Use tabs.'));
      expect([store.isForgotten('m1'), store.forgotten('m1')]).toEqual([false, undefined]);
      await reopened();
      expect(texts(store)).toEqual(['Use tabs.']);
      expect([store.isForgotten('m2'), store.forgotten('m2')]).toEqual([true, undefined]);
      await store.write([{ kind: 'restore', id: 'm2' }]);
      expect(texts(store)).toEqual(['Use tabs.']);
    });

    it('knows the text of what was forgotten, but for case, spaces and punctuation at its ends', async () => {
      await store.write([put('m1', 'Use  "tabs", always.'), put('m2', 'Kept.'), put('m3', '!!!')]);
      await store.write([forget('m1'), forget('m3')]);
      for (const each of [store, await reopened()]) {
        for (const text of ['Use "tabs", always', '- use "TABS",\n always!! ', 'Use  "tabs", always.'])
          expect(each.wasForgotten(text), text).toBe(true);
        for (const text of ['Use tabs always', 'Kept.', '', '???'])
          expect(each.wasForgotten(text), text).toBe(false);
      }
    });

    it('brings back by put what was forgotten', async () => {
      await store.write([put('m1', 'Old.')]);
      await store.write([forget('m1')]);
      await store.write([put('m1', 'New.')]);
      for (const each of [store, await reopened()]) {
        expect(texts(each)).toEqual(['New.']);
        expect(each.isForgotten('m1')).toBe(false);
      }
    });

    it('takes several changes in their order, each on top of the one before', async () => {
      await store.write([
        ...[put('m1', 'One.'), forget('m1'), { kind: 'restore' as const, id: 'm1' }, put('m2', 'Two.')],
        ...[forget('m2'), { kind: 'used' as const, ids: ['m1'], atMs: 3 }],
      ]);
      for (const each of [store, await reopened()]) {
        expect(texts(each)).toEqual(['One.']);
        expect(each.get('m1')?.uses).toBe(1);
        expect(each.isForgotten('m2')).toBe(true);
      }
      await store.write([]);
    });

    it('keeps the text of a view by its file', async () => {
      await store.write([{ kind: 'base', file: '/a/MEMORY.md', text: '' }]);
      await store.write([{ kind: 'base', file: '/b/MEMORY.md', text: '# B\r\n' }]);
      for (const each of [store, await reopened()]) {
        expect(each.baseOf('/a/MEMORY.md')).toBe('');
        expect(each.baseOf('/b/MEMORY.md')).toBe('# B\r\n');
        expect(each.baseOf('/c/MEMORY.md')).toBeUndefined();
      }
      await store.write([{ kind: 'base', file: '/a/MEMORY.md', text: undefined }]);
      expect(store.baseOf('/a/MEMORY.md')).toBeUndefined();
    });

    it('finds active memories by any of the words, the best first', async () => {
      await store.write([
        put('m1', 'The database is migrated by hand.'),
        put('m2', 'Tests of the database run against a copy of it.'),
        put('m3', 'Colours come from the theme.'),
        put('m4', 'The database is proposed.', { status: 'proposed' }),
      ]);
      expect(found(store, 'database tests')).toEqual(['m2', 'm1']);
      expect(found(store, 'database', 1)).toHaveLength(1);
      expect(found(store, 'nothing of it')).toEqual(expect.arrayContaining(['m2']));
      const [first, second] = store.search('database tests', 2);
      expect(first!.score).toBeGreaterThan(second!.score);
      await store.write([put('m4', 'The database is proposed.'), forget('m2')]);
      expect(found(store, 'database').sort()).toEqual(['m1', 'm4']);
    });

    it('takes in what another window has written when it is asked to', async () => {
      const other = await open();
      await store.write([put('m1', 'Mine.')]);
      expect(other.all()).toEqual([]);
      expect(await other.refresh()).toBe(true);
      expect(texts(other)).toEqual(['Mine.']);
      expect(await other.refresh()).toBe(false);
      expect(await store.refresh()).toBe(false);
      await other.write([put('m2', 'Theirs.')]);
      await store.write([forget('m1')]);
      expect(await store.refresh()).toBe(true);
      expect(await other.refresh()).toBe(true);
      for (const each of [store, other, await reopened()]) expect(texts(each)).toEqual(['Theirs.']);
      expect(other.forgotten('m1')?.text).toBe('Mine.');
    });

    it('agrees with another window on which of two changes was last', async () => {
      const other = await open();
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => [
          store.write([put('m1', `Mine ${n}.`)]),
          other.write([put('m1', `Theirs ${n}.`)]),
        ]).flat(),
      );
      await Promise.all([store.refresh(), other.refresh()]);
      expect(texts(store)).toEqual(texts(other));
      expect(texts(await open())).toEqual(texts(store));
    });

    it('runs one exclusive work at a time, each on what the one before has left', async () => {
      const other = await open();
      await store.write([put('m1', '0')]);
      const add = (each: MemoryStore) =>
        each.exclusively(async () => {
          const count = Number(each.get('m1')?.text);
          await new Promise((resolve) => setTimeout(resolve, 5));
          await each.write([put('m1', String(count + 1))]);
        });
      await Promise.all(Array.from({ length: 5 }, () => [add(store), add(other)]).flat());
      expect(texts(await open())).toEqual(['10']);
      await expect(store.exclusively(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await other.exclusively(() => Promise.resolve(7))).toBe(7);
    });
  });
}
