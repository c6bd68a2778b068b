import type { Ledger, LedgerItem } from '../../src/core/model/ledger.ts';
import { formatCount, plural } from '../format.ts';
import type { MeterPart } from '../meter.ts';
import { Heard } from './heard.tsx';
import { ageWords, meterParts, STATE_WORDS } from '../meter.ts';

/** A group up to this long is open from the start. */
const SHORT = 8;

/** Every item of the request, by category: what it costs, since when it is there, and what has become of it. */
export function MeterItems({ ledger }: { readonly ledger: Ledger }) {
  const parts = meterParts(ledger);
  if (parts.length === 0) return null;
  return (
    <section aria-label="Every item">
      <h3>Every item</h3>
      {parts.map((part) => (
        <Group key={part.category} part={part} />
      ))}
    </section>
  );
}

function Group({ part: { name, tokens, items } }: { readonly part: MeterPart }) {
  return (
    <details class="meter-group" aria-label={name} open={items.length <= SHORT}>
      <summary>
        <span class="grow">
          {name} <span class="quiet">({plural(items.length, 'item')})</span>
          <Heard>, </Heard>
        </span>
        <span>
          {formatCount(tokens)}
          <Heard> tokens</Heard>
        </span>
      </summary>
      <ul>
        {items.map((item, index) => (
          <Item key={index} item={item} />
        ))}
      </ul>
    </details>
  );
}

function Item({ item: { label, age, state, tokens } }: { readonly item: LedgerItem }) {
  const words = [STATE_WORDS[state], ageWords(age)].filter((text) => text !== '').join(', ');
  return (
    <li class={state}>
      <span class="meter-label" title={label}>
        {label}
        <Heard>, </Heard>
      </span>
      {words !== '' && (
        <span class="quiet">
          {words}
          <Heard>, </Heard>
        </span>
      )}
      <span class="meter-tokens">
        {formatCount(tokens)}
        <Heard> tokens</Heard>
      </span>
    </li>
  );
}
