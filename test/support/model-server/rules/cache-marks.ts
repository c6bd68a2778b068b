import { invalidRequest } from '../refusal.ts';
import { firstObjection } from './rule.ts';
import type { CheckedRequest, Rule } from './rule.ts';

const MOST_MARKS = 4;

function marked({ prefix }: CheckedRequest) {
  return prefix.positions.filter(({ mark }) => mark !== undefined);
}

const count: Rule = {
  id: 'cache-mark-count',
  check: (request) => {
    const found = marked(request).length;
    return found > MOST_MARKS
      ? invalidRequest(
          `A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${found}.`,
        )
      : undefined;
  },
};

const onEmpty: Rule = {
  id: 'cache-mark-empty',
  check: (request) =>
    firstObjection(marked(request), ({ block, path }) =>
      block.type === 'text' && block.text.trim() === ''
        ? invalidRequest(`${path}.text: cache_control cannot be set for empty text blocks`)
        : undefined,
    ),
};

const lifetimes: Rule = {
  id: 'cache-mark-order',
  check: (request) => {
    const ttls = marked(request).map(({ mark }) => mark?.ttl ?? '5m');
    const short = ttls.indexOf('5m');
    return short >= 0 && ttls.includes('1h', short)
      ? invalidRequest("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")
      : undefined;
  },
};

export const CACHE_MARK_RULES: readonly Rule[] = [onEmpty, count, lifetimes];
