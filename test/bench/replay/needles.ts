import type { RecordedBlock, RecordedMessage } from '../recorded.ts';
import { Random } from './random.ts';

/** A fact at a known place. It counts where it stands with the words that say what it is. */
export interface Needle {
  readonly id: string;
  readonly kind: 'goal' | 'user' | 'tool' | 'decision';
  /** index of the message */
  readonly message: number;
  /** what it is looked for by: the sentence around it, without it */
  readonly query: string;
}

const PLACES = { user: 12, tool: 27, decision: 20 } as const;
/** What happened last is in view whatever an engine does. */
const LAST = 2;
/** A constraint is asked to hold for everything that comes: more than one stands in a session of few messages. */
const MOST_PER_MESSAGE = 3;

type Place = readonly [message: number, block: number];

/** Plants some sixty facts, evenly over the session: in the goal, in what the user asks, in results and in decisions. */
export function plant(
  seed: string,
  original: readonly RecordedMessage[],
): { readonly messages: readonly RecordedMessage[]; readonly needles: readonly Needle[] } {
  const random = new Random(`needles ${seed}`);
  const messages = original.map(({ role, content }) => ({ role, content: [...content] }));
  const needles: Needle[] = [];
  const say = (kind: Needle['kind'], message: number, [before, after]: readonly [string, string]): string => {
    const id = `NEEDLE-${1_000 + needles.length}`;
    needles.push({ id, kind, message, query: `${before} ${after}` });
    return `${before} ${id}${after}`;
  };
  const change = ([message, block]: Place, edit: (text: string) => string) => {
    const content = messages[message]?.content;
    const old = content?.[block];
    if (content !== undefined && old !== undefined) content[block] = edited(old, edit);
  };
  const places = (role: string, type: RecordedBlock['type']): readonly Place[] =>
    messages
      .slice(0, -LAST)
      .flatMap(({ role: by, content }, message) =>
        by === role
          ? content.flatMap((block, at): Place[] => (block.type === type ? [[message, at]] : []))
          : [],
      );
  const goal = messages[0]?.content.findIndex(({ type }) => type === 'text') ?? 0;
  change(
    [0, goal],
    (text) => `[goal: ${say('goal', 0, ['all of this is for the delivery named', ''])}] ${text}`,
  );
  const asked = spread(places('user', 'text'), PLACES.user, random);
  const perMessage = Math.min(
    MOST_PER_MESSAGE,
    Math.max(1, Math.round(PLACES.user / Math.max(1, asked.length))),
  );
  for (const place of asked)
    for (let count = 1; count <= perMessage; count += 1)
      change(place, (text) => {
        const constraint = [
          `Constraint ${count}: everything you ship for this must carry the tag`,
          '.',
        ] as const;
        return `${text}\n\n${say('user', place[0], constraint)}`;
      });
  for (const place of spread(places('user', 'tool_result'), PLACES.tool, random))
    change(place, (text) => {
      const lines = text.split('\n');
      const note = say('tool', place[0], ['# note: reference value', ' is in effect here']);
      lines.splice(random.below(lines.length + 1), 0, note);
      return lines.join('\n');
    });
  for (const place of spread(places('assistant', 'text'), PLACES.decision, random))
    change(place, (text) => {
      const decision = ['Decision', ': I keep this approach and will not revisit it.'] as const;
      return `${text}\n\n${say('decision', place[0], decision)}`;
    });
  return { messages, needles };
}

function edited(block: RecordedBlock, edit: (text: string) => string): RecordedBlock {
  if (block.type === 'text') return { ...block, text: edit(block.text) };
  return block.type === 'tool_result' ? { ...block, content: edit(block.content) } : block;
}

function spread<T>(items: readonly T[], count: number, random: Random): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(((index + random.next()) * items.length) / count);
    return items[at] as T;
  });
}
