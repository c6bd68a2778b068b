import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Entry } from '../../src/core/model/entry.ts';
import { startModelServer } from './model-server/model-server.ts';
import type { ModelServerOptions } from './model-server/options.ts';
import type { ModelProfile } from './model-server/profiles.ts';
import { text, thinking, toolUse } from './model-server/scenario.ts';
import type { ScenarioFunction } from './model-server/scenario.ts';
import { realSession, removePlace } from './real-session.ts';
import type { RealSessionOptions } from './real-session.ts';

export interface WorkingOptions extends Partial<ModelServerOptions> {
  readonly profile: ModelProfile;
  /** rounds of a turn, its last reply not counted */
  readonly rounds: number;
  readonly session?: Omit<RealSessionOptions, 'url' | 'place'>;
}

export type WorkingSession = Awaited<ReturnType<typeof workingSession>>;

const FILES = 30;

/** The product on a server whose model reads file after file, thinks, and says that it is done. */
export async function workingSession({ profile, rounds, session: options, ...server }: WorkingOptions) {
  let started = await startModelServer({ scenario: readingFiles(rounds), models: [profile], ...server });
  const open = (place?: RealSessionOptions['place']) =>
    realSession({ url: started.url, ...options, ...(place && { place }) });
  let current = await open();
  const { place } = current;
  writeFiles(place.folder);
  return {
    get server() {
      return started;
    },
    place,
    get session() {
      return current.session;
    },
    get events() {
      return current.events;
    },
    get slept() {
      return current.slept;
    },
    get entries(): readonly Entry[] {
      return current.session.entries;
    },
    ended: () => current.ended(),
    say: (words: string) => current.say(words),
    /** The window is reloaded: what was in memory is gone. */
    async reopen() {
      await current.session.stop();
      await current.close();
      current = await open(place);
    },
    /** The same session, on another server. */
    async move(to: ModelServerOptions) {
      await started.close();
      started = await startModelServer(to);
      await this.reopen();
    },
    async close() {
      await current.close();
      await started.close();
      removePlace(place);
    },
  };
}

/** A turn of so many rounds that read files, and one that says so; then the next. */
export function readingFiles(rounds: number): ScenarioFunction {
  return ({ served }) => {
    const round = served % (rounds + 1);
    const read = (number: number) => toolUse('read_file', { path: `file-${(number * 7) % FILES}.txt` });
    if (round === rounds) return [thinking('Done. '.repeat(9)), text('I have read them.')];
    return [
      ...(served % 4 === 3 ? [] : [thinking('What next? '.repeat(12))]),
      ...(round % 2 === 0 ? [text(`Round ${round}.`)] : []),
      read(served),
      ...(round % 3 === 0 ? [read(served + 1)] : []),
    ];
  };
}

function writeFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < FILES; number += 1)
    writeFileSync(
      path.join(folder, `file-${number}.txt`),
      `${`words of file ${number} and words\n`.repeat(40 + 12 * (number % 9))}secret-${number}\n`,
    );
}
