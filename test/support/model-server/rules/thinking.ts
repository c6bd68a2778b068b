import { invalidRequest } from '../refusal.ts';
import type { Position } from '../prefix.ts';
import { linkTo } from '../thinking.ts';
import type { Seal, ThinkingSigner } from '../thinking.ts';
import { firstObjection } from './rule.ts';
import type { CheckedRequest, Rule } from './rule.ts';

interface Signed {
  readonly position: Position;
  readonly signature: string;
  /** undefined: nobody here signed it */
  readonly seal: Seal | undefined;
}

function* signedBlocks(positions: readonly Position[], signer: ThinkingSigner): Generator<Signed> {
  for (const position of positions) {
    const { block } = position;
    if (block.type === 'thinking')
      yield { position, signature: block.signature, seal: signer.read(block.signature, block.thinking) };
    if (block.type === 'redacted_thinking')
      yield { position, signature: block.data, seal: signer.read(block.data, '') };
  }
}

/** A model reads its own thinking only; another's is dropped silently, so nothing is asked of it. */
function readable({ prefix, body, signer }: CheckedRequest): readonly Signed[] {
  return [...signedBlocks(prefix.positions, signer)].filter(({ seal }) => seal?.model === body.model);
}

/** How the next thinking block has to name the last one that the model can read. */
export function lastLink(request: CheckedRequest): string {
  const last = readable(request).at(-1);
  return last ? linkTo(last.signature) : '';
}

const notLast: Rule = {
  id: 'thinking-last',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { role, content }]) => {
      const type = content.at(-1)?.type;
      const isThinking = type === 'thinking' || type === 'redacted_thinking';
      return role === 'assistant' && isThinking
        ? invalidRequest(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`)
        : undefined;
    }),
};

const signature: Rule = {
  id: 'thinking-signature',
  check: ({ prefix, signer }) =>
    firstObjection(signedBlocks(prefix.positions, signer), ({ position, seal }) =>
      seal ? undefined : invalidRequest(`${position.path}: Invalid \`signature\` in \`thinking\` block`),
    ),
};

/**
 * System, tools and all that was said before a block must be what they were when it was made. Blocks may be left out
 * from the start of the history, so the first one may have any predecessor; later ones name the one before them.
 */
const binding: Rule = {
  id: 'thinking-binding',
  check: (request) => {
    if (!request.profile.bindsThinking) return undefined;
    const blocks = readable(request);
    return firstObjection(blocks.entries(), ([index, { position, seal }]) => {
      const before = blocks[index - 1];
      const isChained = !before || seal?.after === linkTo(before.signature);
      return isChained && position.bindings.includes(seal?.boundTo ?? '')
        ? undefined
        : invalidRequest(
            `${position.path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`,
          );
    });
  },
};

export const THINKING_RULES: readonly Rule[] = [notLast, signature, binding];
