import type { Ref } from 'preact';
import { Fragment } from 'preact';
import type { Ledger } from '../../src/core/model/ledger.ts';
import { formatCount, formatPercent } from '../format.ts';
import { itemName, largestItems, loadMarks, meterParts, meterSentence } from '../meter.ts';
import { Heard } from './heard.tsx';
import { MeterItems } from './meter-items.tsx';

const LARGEST = 5;

interface MeterDetailsProps {
  readonly ledger: Ledger;
  readonly place: Ref<HTMLDivElement>;
  /** every item too: what is only pointed at or passed by stays short, and holds no stops for Tab */
  readonly isWhole: boolean;
}

/** The account behind the meter: what fills the window, and what the window is. */
export function MeterDetails({ ledger, place, isWhole }: MeterDetailsProps) {
  return (
    <div ref={place} class="meter-details" role="group" aria-label="Context budget details" tabIndex={0}>
      <p>{meterSentence(ledger)}</p>
      <Limits ledger={ledger} />
      <Parts ledger={ledger} />
      <Largest ledger={ledger} />
      {isWhole ? (
        <MeterItems ledger={ledger} />
      ) : (
        <p class="quiet more">Click the bar or the figures for every item.</p>
      )}
    </div>
  );
}

/** A figure; the eye sees from the headline what all of them count. */
function Tokens({ count }: { readonly count: number }) {
  return (
    <>
      {formatCount(count)}
      <Heard> tokens</Heard>
    </>
  );
}

function Limits({ ledger: { budget } }: { readonly ledger: Ledger }) {
  return (
    <dl>
      <dt>Window</dt>
      <dd>{budget.window === undefined ? 'unknown' : <Tokens count={budget.window} />}</dd>
      <dt>Reserved for the answer</dt>
      <dd>
        <Tokens count={budget.reservedOutput} />
      </dd>
      <dt>Safety margin</dt>
      <dd>
        <Tokens count={budget.margin} />
      </dd>
      <dt>Budget</dt>
      <dd>{budget.tokens === undefined ? 'unknown' : <Tokens count={budget.tokens} />}</dd>
      {loadMarks(budget).map(({ name, words, tokens }) => (
        <Fragment key={name}>
          <dt>{words}</dt>
          <dd>
            <Tokens count={tokens} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Parts({ ledger }: { readonly ledger: Ledger }) {
  const parts = meterParts(ledger);
  if (parts.length === 0) return <p class="quiet">Its parts are known with the next request.</p>;
  return (
    <table>
      <caption>What fills it</caption>
      <tbody>
        {parts.map(({ category, name, tokens, share }) => (
          <tr key={category}>
            <th scope="row">{name}</th>
            <td>
              <Tokens count={tokens} />
            </td>
            <td class="share">{formatPercent(share)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          <td>
            <Tokens count={ledger.total} />
          </td>
          <td class="share" />
        </tr>
      </tfoot>
    </table>
  );
}

function Largest({ ledger }: { readonly ledger: Ledger }) {
  const items = largestItems(ledger, LARGEST);
  if (items.length === 0) return null;
  return (
    <table>
      <caption>Largest items</caption>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            <th scope="row" title={itemName(item)}>
              {itemName(item)}
            </th>
            <td>
              <Tokens count={item.tokens} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
