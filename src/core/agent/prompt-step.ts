import type { Entry, EntryDraft, PromptEntry, PromptSection, ToolSchema } from '../model/entry.ts';
import { VOLATILE_SECTIONS } from '../model/volatile-sections.ts';
import type { Hash } from '../ports/hash.ts';
import type { SpokenEntry } from '../context/conversation.ts';
import { conversationOf } from '../context/conversation.ts';
import { once } from '../model/once.ts';
import { changeInLines } from './section-change.ts';

export interface Prompt {
  readonly sections: readonly PromptSection[];
  readonly tools: readonly ToolSchema[];
}

/** Said where a section that the model was told of is gone. */
const GONE = 'This no longer applies.';

/**
 * What has to be logged so that the model knows today's prompt: nothing where it does; a reminder for each volatile
 * section that has changed since it was last told, so that the prefix stays what it was; or a new prompt, which is a
 * planned break, where there is none yet or what is frozen has changed (another version of the product or its tools).
 */
export function promptChanges(entries: readonly Entry[], now: Prompt, hash: Hash): readonly EntryDraft[] {
  const { prompt, spoken, wantsPrompt } = conversationOf(entries);
  if (prompt === undefined || wantsPrompt || !isSameFrozen(prompt, now)) return [freshPrompt(now, hash)];
  const told = toldSections(prompt, spoken);
  const current = new Map(now.sections.map(({ name, text }) => [name, text]));
  return [...VOLATILE_SECTIONS]
    .filter((name) => (told.get(name) ?? GONE) !== (current.get(name) ?? GONE))
    .flatMap((name) => changeOf(name, told.get(name), current.get(name)));
}

/** Of the memory only what has changed is said; its reminder holds the whole, so that the log tells what the model knows. */
function changeOf(name: string, before: string | undefined, now: string | undefined): readonly EntryDraft[] {
  const isInLines = name === 'memory' && before !== undefined && before !== GONE;
  if (now === undefined || !isInLines) return [{ kind: 'reminder', topic: name, text: now ?? GONE }];
  const text = changeInLines(before, now);
  if (text === undefined) return [];
  return [{ kind: 'reminder', topic: name, text, ...(text !== now && { section: now }) }];
}

/** A section of the prompt as the model was last told of it; undefined where it was not, or it is gone. */
export function toldSection(entries: readonly Entry[], name: string): string | undefined {
  const { prompt, spoken } = conversationOf(entries);
  const told = prompt && toldSections(prompt, spoken).get(name);
  return told === GONE ? undefined : told;
}

/** A planned break: everything volatile is folded in, and reasoning from before it is left out of the view. */
export function freshPrompt({ sections, tools }: Prompt, hash: Hash): EntryDraft {
  return { kind: 'prompt', hash: hash(JSON.stringify([sections, tools])), sections, tools };
}

/** Whether what never changes between two breaks is what it was. */
function isSameFrozen(before: PromptEntry, now: Prompt): boolean {
  return writtenFrozen(before) === frozenText(now) && toolsText(before.tools) === toolsText(now.tools);
}

function frozenText({ sections }: Prompt): string {
  return JSON.stringify(sections.filter(({ name }) => !VOLATILE_SECTIONS.has(name)));
}

const writtenFrozen = once((entry: PromptEntry): string => frozenText(entry));

/** Tool schemas stay the same objects for a session: they are written out once. */
const toolsText = once((tools: Prompt['tools']): string => JSON.stringify(tools));

/** What was said at the tail counts as long as it is in the view. */
function toldSections(prompt: PromptEntry, after: readonly SpokenEntry[]): ReadonlyMap<string, string> {
  const told = new Map(prompt.sections.map(({ name, text }) => [name, text]));
  for (const entry of after)
    if (entry.kind === 'reminder') told.set(entry.topic, entry.section ?? entry.text);
  return told;
}
