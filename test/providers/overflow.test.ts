import { describe, expect, it } from 'vitest';
import { recogniseOverflow } from '../../src/providers/overflow.ts';

const refused = (text: string, status: number | undefined = 400, kinds: readonly string[] = []) =>
  recogniseOverflow({ status, text, kinds });

describe('P3: a refusal because of length', () => {
  it.each<[string, number | undefined]>([
    ['prompt is too long: 213507 tokens > 199999 maximum', 199_999],
    ['Input length 131393 exceeds the maximum allowed input length of 131040 tokens', 131_040],
    ["This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.", 4096],
    ['input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease one', 200_000],
    ['the request exceeds the available context size. try increasing the context size', undefined],
    ['request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4096],
    ['The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
    ['prompt token count of 110000 exceeds the limit of 64000', 64_000],
    ['Your request exceeded model token limit: 8192 (requested: 9000)', 8192],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
    ["Requested token count exceeds the model's maximum context length of 131,072 tokens.", 131_072],
    [
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      4096,
    ],
    ['The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096)', 4096],
    ['Range of input length should be [1, 30720]', 30_720],
    ['Input is too long for requested model.', undefined],
    ['Your input exceeds the context window of this model.', undefined],
    ['the input length exceeds the context length', undefined],
    ['Please reduce the length of the messages or completion.', undefined],
    ['Context size has been exceeded.', undefined],
    ['too many tokens in the prompt', undefined],
    ['token limit exceeded', undefined],
    ['input is too long', undefined],
    ['Requested input length 70000 exceeds the maximum of 65536', 65_536],
    ['model_context_window_exceeded', undefined],
    ['context_length_exceeded', undefined],
    ['Context length exceeded', undefined],
    ['Your input of 9000 tokens exceeds the limit of 8192', 8192],
    ['prompt exceeds the limit of 8192', 8192],
    ['Context length exceeds the limit of 16,384 tokens', 16_384],
    ['This endpoint\u2019s maximum context length is 32768 tokens', 32_768],
    // The number is the server's code for the error, and says nothing of the window.
    ['invalid params, context window exceeds limit (213)', undefined],
  ])('is recognised by "%s", limit %s', (text, learntLimit) => {
    expect(refused(text)).toEqual(learntLimit === undefined ? {} : { learntLimit });
  });

  it.each(['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'])(
    'is recognised by the kind %s, whatever the words',
    (kind) => {
      expect(refused('no', 400, ['invalid_request_error', kind])).toEqual({});
    },
  );

  it('is what a 413 means, and an empty 400', () => {
    expect(refused('Request Entity Too Large', 413)).toEqual({});
    expect(refused('', 413)).toEqual({});
    expect(refused('', 400)).toEqual({});
  });

  it('learns the limit from a field of the body before the words', () => {
    const refusal = { status: 400, text: 'exceeds the available context size', kinds: [], window: 8192 };
    expect(recogniseOverflow(refusal)).toEqual({ learntLimit: 8192 });
  });

  it('learns no limit that is in another unit than tokens', () => {
    expect(refused('the body exceeds the maximum of 33554432 bytes', 413)).toEqual({});
    expect(refused('prompt is too long: it exceeds the limit of 500000 characters, see tokens')).toEqual({});
  });

  it('is recognised in mid-stream, where there is no status', () => {
    expect(refused('prompt is too long', undefined)).toEqual({});
  });
});

describe('P3: a refusal for another reason', () => {
  it.each<[number, string]>([
    [429, 'prompt is too long'],
    [401, 'prompt is too long'],
    [503, 'too many tokens'],
    [400, 'Request too large for the organisation on tokens per min (TPM): Limit 10000, Requested 12000'],
    [400, 'Rate limit: too many tokens, please wait'],
    [400, 'You exceeded your current quota: token limit exceeded'],
    [400, 'Throttling: too many tokens'],
    [400, 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for the model'],
    [400, 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after'],
    [
      400,
      'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    ],
    [400, 'messages: text content blocks must be non-empty'],
    [400, 'max_tokens 64000 exceeds the limit of 32000'],
    [400, 'The number of output tokens exceeds the limit of 32000'],
    [400, '413 messages per minute: input is too long'],
    [400, 'messages.7.content: number of content blocks in message exceeds the limit of 1000'],
    [400, 'messages: tool_use input exceeds the limit of 3000 bytes'],
    [400, 'messages: tool_use input exceeds the limit of 3000'],
    [400, 'tools.4.description exceeds the limit of 256 characters'],
    [400, 'metadata: input is too long, at most 256 characters'],
    [400, 'number of images in request exceeds the limit of 20'],
  ])('is not taken for it: %i %s', (status, text) => {
    expect(refused(text, status)).toBeUndefined();
  });
});
