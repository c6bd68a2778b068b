import type { SummarySeal } from './summary-seal.ts';
import type { Block, PromptBody, ToolResultBlock, WireMessage } from './wire.ts';

/** A tool result as a scenario reads it. */
export interface ToolResultView {
  readonly toolUseId: string;
  /** of the tool that was called */
  readonly tool: string;
  /** its text blocks, joined */
  readonly text: string;
  readonly isError: boolean;
}

/** A request as a scenario sees it. */
export interface ScenarioRequest {
  readonly body: PromptBody;
  readonly messages: readonly WireMessage[];
  /** what the person said last; a text that is wholly wrapped in a tag is a reminder, not theirs */
  readonly lastUserText: string;
  /** user turns before this one */
  readonly turn: number;
  /** answers of the model since the person spoke last */
  readonly round: number;
  /** answers of the model in the whole conversation */
  readonly answers: number;
  /** requests this server has answered before, without those for a summary */
  readonly served: number;
  /** what a summary is to hold, where one is asked for: the instructions, in the provider's own request or as a message */
  readonly summaryAsk?: string;
  /** what is worth remembering is asked for, of a conversation that is given as data */
  readonly asksForMemories: boolean;
  /** oldest first */
  readonly toolResults: readonly ToolResultView[];
  /** those of the newest message that has any */
  readonly latestResults: readonly ToolResultView[];
}

const REMINDER = /^\s*<([\w-]+)[^>]*>[^]*<\/\1>\s*$/;

function saidByPerson(message: WireMessage): string {
  if (message.role !== 'user') return '';
  return message.content
    .flatMap((block) => (block.type === 'text' && !REMINDER.test(block.text) ? [block.text] : []))
    .join('\n');
}

function textOf(content: ToolResultBlock['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function viewsOf(content: readonly Block[], names: ReadonlyMap<string, string>): readonly ToolResultView[] {
  return content.flatMap((block) =>
    block.type === 'tool_result'
      ? [
          {
            toolUseId: block.tool_use_id,
            tool: names.get(block.tool_use_id) ?? '',
            text: textOf(block.content),
            isError: block.is_error ?? false,
          },
        ]
      : [],
  );
}

/** A signed summary is an assistant message without being an answer. */
function isAnswer({ role, content }: WireMessage): boolean {
  return role === 'assistant' && content[0]?.type !== 'compaction';
}

export interface ConversationFacts {
  readonly served: number;
  /** of the signed summary in front, where there is one */
  readonly covered?: Pick<SummarySeal, 'answers' | 'turns'> | undefined;
}

/**
 * The person's side asks for a summary by naming the sections it wants. A text in a tag is no request, and neither is a
 * system message, though it be a summary itself.
 */
function summaryAsk(body: PromptBody, last: WireMessage | undefined): string | undefined {
  if (body.compaction) return body.compaction.instructions ?? '';
  const said = last?.content.at(-1);
  if (last?.role !== 'user' || said?.type !== 'text' || REMINDER.test(said.text)) return undefined;
  return /\bsummar/i.test(said.text) && sectionsIn(said.text).length >= 3 ? said.text : undefined;
}

/** The person's side, with nothing but data before, asks for statements to remember, in lines of JSON. */
function asksForMemories(messages: readonly WireMessage[]): boolean {
  const said = messages[0]?.content.at(-1);
  return (
    messages.length === 1 &&
    said?.type === 'text' &&
    /\bremember/.test(said.text) &&
    /\bJSON object\b/.test(said.text)
  );
}

/** The headings of a text, as Markdown writes them. */
export function sectionsIn(text: string): readonly string[] {
  return [...text.matchAll(/^#{1,4} +(\S.*)$/gm)].map(([, title]) => (title ?? '').trim());
}

export function readConversation(
  body: PromptBody,
  messages: readonly WireMessage[],
  { served, covered = { answers: 0, turns: 0 } }: ConversationFacts,
): ScenarioRequest {
  const blocks = messages.flatMap(({ content }) => content);
  const names = new Map(
    blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name]] : [])),
  );
  const results = messages.map(({ content }) => viewsOf(content, names));
  const spoken = messages.flatMap((message, index) => (saidByPerson(message) === '' ? [] : [index]));
  const last = spoken.at(-1) ?? 0;
  const answersFrom = (start: number) => messages.slice(start).filter(isAnswer).length;
  const asked = summaryAsk(body, messages.at(-1));
  return {
    body,
    messages,
    lastUserText: messages[last] ? saidByPerson(messages[last]) : '',
    turn: Math.max(0, covered.turns + spoken.length - 1),
    round: answersFrom(last),
    answers: covered.answers + answersFrom(0),
    served,
    ...(asked !== undefined && { summaryAsk: asked }),
    asksForMemories: asksForMemories(messages),
    toolResults: results.flat(),
    latestResults: results.findLast((views) => views.length > 0) ?? [],
  };
}
