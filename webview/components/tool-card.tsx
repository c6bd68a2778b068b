import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import { useStore } from '../state.ts';
import { cardLabel, STATE_LOOKS, toolLook } from '../tools.ts';
import { Approval } from './approval.tsx';
import { Icon } from './icon.tsx';
import { PatchView } from './patch-view.tsx';

/** One tool call: what, where, how it stands, and what came of it. */
export function ToolCard({ item }: { readonly item: ToolItem }) {
  return (
    <article class={`tool-card ${item.state}`} aria-label={cardLabel(item)}>
      <CardHead item={item} />
      {item.approval && item.state === 'approval' ? (
        <Approval request={item.approval} />
      ) : (
        <CardBody item={item} />
      )}
    </article>
  );
}

function CardHead({ item }: { readonly item: ToolItem }) {
  const look = toolLook(item.tool);
  const state = STATE_LOOKS[item.state];
  const isSpinning = state.icon === 'loading';
  return (
    <div class="card-head">
      <span class="card-what">
        <Icon name={look.icon} />
        {look.verb}
      </span>
      <CardTarget item={item} />
      <span class="card-state">
        <LineCounts item={item} />
        <Duration item={item} />
        <span class="state-word">{state.words}</span>
        <Icon name={state.icon} spin={isSpinning} />
      </span>
    </div>
  );
}

function CardTarget({ item }: { readonly item: ToolItem }) {
  const { ask } = useStore();
  if (item.target === '') return <span class="card-target" />;
  if (!toolLook(item.tool).isFile)
    return (
      <code class="card-target" title={item.target}>
        {item.target}
      </code>
    );
  return (
    <button
      type="button"
      class="card-target link"
      title={`Open ${item.target}`}
      onClick={() => void ask('openFile', { path: item.target })}
    >
      {item.target}
    </button>
  );
}

function LineCounts({ item: { added, removed } }: { readonly item: ToolItem }) {
  if (added === undefined && removed === undefined) return null;
  return (
    <span class="line-counts">
      <span class="added" aria-label={`${plural(added ?? 0, 'line')} added`}>
        +{formatCount(added ?? 0)}
      </span>{' '}
      <span class="removed" aria-label={`${plural(removed ?? 0, 'line')} removed`}>
        −{formatCount(removed ?? 0)}
      </span>
    </span>
  );
}

/** Shorter than this nobody waits for it. */
const NOTABLE_MS = 100;

function Duration({ item }: { readonly item: ToolItem }) {
  const isRunning = item.state === 'running';
  const now = useClock(isRunning);
  const ms = isRunning && item.startedAt !== undefined ? now - item.startedAt : item.durationMs;
  if (ms === undefined || ms < NOTABLE_MS) return null;
  return <span class="duration">{formatDuration(ms)}</span>;
}

function useClock(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

function CardBody({ item }: { readonly item: ToolItem }) {
  if (item.state === 'running') return item.output === '' ? null : <LiveOutput text={item.output} />;
  const isPatchShown = item.patch !== undefined && item.patch !== '';
  return (
    <>
      {isPatchShown && <EditPreview toolUseId={item.toolUseId} patch={item.patch ?? ''} />}
      {item.output !== '' && !(isPatchShown && item.state === 'ok') && <Result item={item} />}
    </>
  );
}

function EditPreview({ toolUseId, patch }: { readonly toolUseId: string; readonly patch: string }) {
  const { ask } = useStore();
  return (
    <div class="card-body">
      <PatchView patch={patch} />
      <button
        type="button"
        class="button secondary small"
        onClick={() => void ask('openDiff', { toolUseId })}
      >
        <Icon name="diff" />
        Open diff
      </button>
    </div>
  );
}

/** What a command prints while it prints, its end in sight. */
function LiveOutput({ text }: { readonly text: string }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  return (
    <pre ref={box} class="output live" tabIndex={0} aria-label="Output so far" aria-live="off">
      {text}
    </pre>
  );
}

function Result({ item }: { readonly item: ToolItem }) {
  const [isOpen, setOpen] = useState(item.state === 'error');
  const lines = item.output.trimEnd().split('\n').length;
  const exit = item.exitCode === undefined ? undefined : exitText(item.exitCode);
  return (
    <details class="card-result" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {toolLook(item.tool).result}
        <span class="summary-detail">
          {plural(lines, 'line')}
          {exit !== undefined && ` · ${exit}`}
        </span>
      </summary>
      {isOpen && (
        <pre class="output" tabIndex={0} aria-label={`${toolLook(item.tool).result} of ${cardLabel(item)}`}>
          {item.output}
        </pre>
      )}
    </details>
  );
}

function exitText(exitCode: number | null): string {
  return exitCode === null ? 'killed' : `exit code ${exitCode}`;
}
