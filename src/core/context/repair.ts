import type {
  AssistantBlock,
  ResultBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from '../model/content.ts';
import type { ViewBlock, ViewMessage } from './view.ts';

const MISSING_RESULT = '[Tool result unavailable: the call was interrupted and its outcome is unknown]';
const GO_ON = '<system-reminder topic="resume">\nGo on from here.\n</system-reminder>';
const NO_OUTPUT = '(no output)';
const MISSING_START = '[The beginning of this conversation is not available]';

type AssistantView = Extract<ViewMessage, { role: 'assistant' }>;
type UserView = Extract<ViewMessage, { role: 'user' }>;
type SystemView = Extract<ViewMessage, { role: 'system' }>;
type Blocks<B> = readonly ViewBlock<B>[];

export interface RepairOptions {
  /** a signed summary stands in front: then the assistant may come first */
  readonly isBehindSummary?: boolean;
  /** false for a stretch that is only summarised: it may end with the assistant */
  readonly isToBeAnswered?: boolean;
}

/**
 * Makes any view valid for the Messages API, at the one choke point before every request.
 *
 * The invariant: the first and the last message are the user's, roles alternate, no text is blank, tool-use ids are
 * unique and well-formed, and the tool uses of an assistant message are answered, each exactly once and in their order, at the start
 * of the next user message. Matching is by position: results belong to the nearest assistant message before them, so
 * ids that a server hands out twice are told apart. What Plimsoll says in its own role stands behind the user's words of
 * its place, and with no such words among them. A valid view comes back as it is; repairing twice changes nothing.
 *
 */
export function repair(
  view: readonly ViewMessage[],
  { isBehindSummary = false, isToBeAnswered = true }: RepairOptions = {},
): readonly ViewMessage[] {
  const out: ViewMessage[] = [];
  const usedIds = new Set<string>();
  for (let index = 0; index < view.length;) {
    let end = index + 1;
    while (end < view.length && view[end]?.role !== 'assistant') end += 1;
    const round = roundOf(view.slice(index, end), usedIds);
    if (round.assistant !== undefined) pushAssistant(out, round.assistant, isBehindSummary);
    if (round.user !== undefined) pushUser(out, round.user);
    pushSystem(out, round.system);
    index = end;
  }
  const last = out.at(-1);
  if (last?.role === 'assistant' && isToBeAnswered)
    pushUser(out, userView([placeholder(last.blocks[0], { type: 'text', text: GO_ON })]));
  return out;
}

/** An assistant message with everything up to the next one, made valid. */
interface Round {
  readonly messages: readonly ViewMessage[];
  readonly assistant: AssistantView | undefined;
  readonly user: UserView | undefined;
  readonly system: readonly SystemView[];
  /** of its tool uses, as they are in the request */
  readonly ids: readonly string[];
}

/** Rounds do not change once they are said: what one was made into serves every later request it is the same in. */
const known = new WeakMap<ViewMessage, Round>();

function roundOf(messages: readonly ViewMessage[], usedIds: Set<string>): Round {
  const [first] = messages;
  const before = first && known.get(first);
  if (
    before !== undefined &&
    isSame(before.messages, messages) &&
    !before.ids.some((id) => usedIds.has(id))
  ) {
    for (const id of before.ids) usedIds.add(id);
    return before;
  }
  const made = repairRound(messages, usedIds);
  if (first !== undefined) known.set(first, made);
  return made;
}

function isSame(a: readonly ViewMessage[], b: readonly ViewMessage[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}

function repairRound(messages: readonly ViewMessage[], usedIds: Set<string>): Round {
  const [first] = messages;
  const renamed = first?.role === 'assistant' ? renameRepeatedIds(withoutTail(first), usedIds) : undefined;
  const said = messages.flatMap((message) => (message.role === 'user' ? message.blocks : []));
  const blocks = [...answers(renamed, said), ...said.filter(isSpoken)];
  return {
    messages,
    assistant:
      renamed && renamed.blocks.length > 0 ? { role: 'assistant', blocks: renamed.blocks } : undefined,
    user: blocks.length > 0 ? { role: 'user', blocks } : undefined,
    system: messages.filter((message) => message.role === 'system'),
    ids: (renamed?.uses ?? []).map(({ use }) => use.block.id),
  };
}

/** An assistant message may not end in thinking, and one of nothing but thinking says nothing. */
function withoutTail(message: AssistantView): AssistantView {
  const spoken = message.blocks.filter(({ block }) => block.type !== 'text' || !isBlank(block.text));
  const end = spoken.findLastIndex(({ block }) => block.type === 'text' || block.type === 'tool_use');
  return { role: 'assistant', blocks: spoken.slice(0, end + 1) };
}

interface RenamedAssistant {
  readonly blocks: Blocks<AssistantBlock>;
  /** id as logged → the tool uses that had it, in order */
  readonly uses: readonly { readonly loggedId: string; readonly use: ViewBlock<ToolUseBlock> }[];
}

function renameRepeatedIds(message: AssistantView, usedIds: Set<string>): RenamedAssistant {
  const uses: { loggedId: string; use: ViewBlock<ToolUseBlock> }[] = [];
  const blocks = message.blocks.map((item) => {
    if (item.block.type !== 'tool_use') return item;
    const id = unusedId(item.block.id, usedIds);
    const name = validName(item.block.name);
    const isAsLogged = id === item.block.id && name === item.block.name;
    const use = { ...item, block: isAsLogged ? item.block : { ...item.block, id, name } };
    uses.push({ loggedId: item.block.id, use });
    return use;
  });
  return { blocks, uses };
}

function unusedId(id: string, usedIds: Set<string>): string {
  const valid = validName(id);
  let candidate = valid;
  for (let copy = 2; usedIds.has(candidate); copy += 1) candidate = `${valid}_${copy}`;
  usedIds.add(candidate);
  return candidate;
}

/** What the API takes as a tool's name or a call's id; models and local servers write others. */
function validName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function pushAssistant(out: ViewMessage[], message: AssistantView, isBehindSummary: boolean): void {
  const last = out.at(-1);
  if (last === undefined && !isBehindSummary)
    pushUser(out, userView([placeholder(message.blocks[0], { type: 'text', text: MISSING_START })]));
  // Two assistant messages in a row become one, which is how the API reads them. The first has no tool uses:
  // those are always followed by their answers.
  if (last?.role === 'assistant')
    out[out.length - 1] = { role: 'assistant', blocks: [...last.blocks, ...message.blocks] };
  else out.push(message);
}

function pushUser(out: ViewMessage[], message: UserView): void {
  // An answer of nothing was left out: what stands on both sides of it is one place now.
  const own = out.at(-1)?.role === 'system' ? out.pop() : undefined;
  const last = out.at(-1);
  if (last?.role === 'user') out[out.length - 1] = userView([...last.blocks, ...message.blocks]);
  else out.push(message);
  if (own !== undefined) out.push(own);
}

function userView(blocks: Blocks<UserBlock>): UserView {
  return { role: 'user', blocks };
}

/** One message for all that is said at one place: it must follow the user's. Where there is none, it goes into one. */
function pushSystem(out: ViewMessage[], messages: readonly SystemView[]): void {
  const blocks = messages.flatMap((message) => message.blocks).filter(({ block }) => !isBlank(block.text));
  if (blocks.length === 0) return;
  const isTurnScoped = messages.every((message) => message.isTurnScoped);
  const last = out.at(-1);
  if (last?.role === 'user') out.push({ role: 'system', blocks, isTurnScoped });
  else if (last?.role === 'system')
    out[out.length - 1] = {
      role: 'system',
      blocks: [...last.blocks, ...blocks],
      isTurnScoped: last.isTurnScoped && isTurnScoped,
    };
  else pushUser(out, userView(blocks.map(tagged)));
}

function tagged(item: ViewBlock<TextBlock>): ViewBlock<UserBlock> {
  return {
    ...item,
    block: { type: 'text', text: `<system-reminder>\n${item.block.text}\n</system-reminder>` },
  };
}

function answers(
  assistant: RenamedAssistant | undefined,
  following: Blocks<UserBlock>,
): ViewBlock<UserBlock>[] {
  const waiting = following.flatMap(({ block, ...rest }) =>
    block.type === 'tool_result' ? [{ ...rest, block }] : [],
  );
  return (assistant?.uses ?? []).map(({ loggedId, use }) => {
    const found = waiting.findIndex(({ block }) => block.toolUseId === loggedId);
    const [result] = found < 0 ? [] : waiting.splice(found, 1);
    return result ? answerOf(result, use.block.id) : placeholder(use, missingResult(use.block.id));
  });
}

function answerOf(result: ViewBlock<ToolResultBlock>, toolUseId: string): ViewBlock<UserBlock> {
  const content = withoutBlanks(result.block.content);
  const isAsLogged = content === result.block.content && toolUseId === result.block.toolUseId;
  return isAsLogged ? result : { ...result, block: { ...result.block, toolUseId, content } };
}

/** A command that printed nothing says so: an empty text is refused. */
function withoutBlanks(content: readonly ResultBlock[]): readonly ResultBlock[] {
  if (content.length > 0 && !content.some(isBlankText)) return content;
  const kept = content.filter((block) => !isBlankText(block));
  return kept.length > 0 ? kept : [{ type: 'text', text: NO_OUTPUT }];
}

function missingResult(toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', toolUseId, content: [{ type: 'text', text: MISSING_RESULT }], isError: true };
}

/** What stands in for something the log does not have; it belongs to the entry that needs it. */
function placeholder(
  neighbour: ViewBlock<AssistantBlock> | undefined,
  block: UserBlock,
): ViewBlock<UserBlock> {
  const category = block.type === 'tool_result' ? 'tool_result' : 'reminder';
  return {
    block,
    entryId: neighbour?.entryId ?? 'e0',
    category,
    label: neighbour?.label ?? 'repair',
    state: 'kept',
  };
}

function isSpoken({ block }: ViewBlock<UserBlock>): boolean {
  return block.type === 'image' || (block.type === 'text' && !isBlank(block.text));
}

function isBlankText(block: ResultBlock): boolean {
  return block.type === 'text' && isBlank(block.text);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
