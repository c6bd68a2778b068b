import { TokenTable } from '../../../src/core/context/token-table.ts';
import type { Block } from '../../../src/core/model/content.ts';
import type { ModelRequest } from '../../../src/core/model/request.ts';

const table = new TokenTable();

/** Tokens of a request: the input a server with our own counting would bill. */
export function tokensIn({ system, tools, messages, signedSummary }: ModelRequest): number {
  const signed: Block[] = signedSummary ? [{ type: 'text', text: signedSummary.text }] : [];
  const blocks: readonly Block[] = [
    ...signed,
    ...messages.flatMap(({ content }): readonly Block[] => content),
  ];
  return [...system, ...tools, ...blocks].reduce((sum, part) => sum + table.tokens(part), 0);
}

/** Everything that is said in a request, for looking into it. */
export function textIn({ system, messages, signedSummary }: ModelRequest): string {
  return JSON.stringify([system, signedSummary?.text, messages]);
}

/** What a summary is asked for with. */
export function isSummaryCall(request: ModelRequest): boolean {
  return lastWords(request).includes('Answer with nothing but these sections');
}

/** What is worth remembering is asked for with. */
export function isExtractionCall(request: ModelRequest): boolean {
  return lastWords(request).includes('Answer with nothing but lines');
}

/** The last text of a request. */
function lastWords({ messages }: ModelRequest): string {
  const last = messages.at(-1)?.content.at(-1);
  return last?.type === 'text' ? last.text : '';
}

/** A request as the line of things that a provider reads: what was sent before must be where it was. */
export function piecesOf({ system, tools, messages, signedSummary }: ModelRequest): readonly string[] {
  return [
    JSON.stringify(tools),
    ...system.map((section) => JSON.stringify(section)),
    ...(signedSummary ? [JSON.stringify(signedSummary.block)] : []),
    ...messages.flatMap((message) =>
      message.content.map((block) =>
        JSON.stringify([message.role, message.role === 'system' && message.clearAt, block]),
      ),
    ),
  ];
}

/** Whether `next` begins with all of `before`, byte for byte. */
export function extendsRequest(before: ModelRequest, next: ModelRequest): boolean {
  const pieces = piecesOf(next);
  return piecesOf(before).every((piece, index) => pieces[index] === piece);
}
