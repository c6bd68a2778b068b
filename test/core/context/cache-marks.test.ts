import { describe, expect, it } from 'vitest';
import { cacheMarks } from '../../../src/core/context/cache-marks.ts';
import type { Message } from '../../../src/core/model/content.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const assistant: Message = { role: 'assistant', content: [{ type: 'text', text: 'hello' }] };
const lasting: Message = { role: 'system', content: [{ type: 'text', text: 'Today is Monday.' }] };
const passing: Message = { ...lasting, clearAt: 'next_user_message' };

describe('the marks of a request', () => {
  it('stand at the last two places where the user spoke', () => {
    expect(cacheMarks([user, assistant, user, assistant, user])).toEqual({ system: true, messages: [2, 4] });
  });

  it('stand behind what Plimsoll said there for good, so that it is paid for once', () => {
    expect(cacheMarks([user, lasting, assistant, user, lasting])).toEqual({ system: true, messages: [1, 4] });
  });

  it('never stand on what is no longer shown after its turn', () => {
    expect(cacheMarks([user, passing, assistant, user, passing])).toEqual({ system: true, messages: [0, 3] });
  });
});
