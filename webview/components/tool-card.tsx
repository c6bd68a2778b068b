import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import { lastWritten, plainLineEnds } from '../live-text.ts';
import { useStore } from '../state.ts';
import { cardLabel, STATE_LOOKS, toolLook } from '../tools.ts';
import { withUnseen } from '../unseen.ts';
import { Approval } from './approval.tsx';
import { ExactText } from './exact-text.tsx';
import { Icon } from './icon.tsx';
import { OpenDiffButton } from './open-diff-button.tsx';
import { OutputLink } from './output-link.tsx';
import { PatchView } from './patch-view.tsx';

/** One tool call: what, where, how it stands, and what came of it. */
export function ToolCard({ item }: { readonly item: ToolItem }) {
  const [isOpen, setOpen] = useState(item.state === 'error');
  const hasResult = hasHiddenResult(item);
  const toggle = () => setOpen(!isOpen);
  return (
    <article class={`tool-card ${item.state}`} aria-label={cardLabel(item)}>
      <CardHead item={item} toggle={hasResult ? toggle : undefined} isOpen={isOpen} />
      {item.approval && item.state === 'approval' ? (
        <Approval request={item.approval} />
      ) : (
        <CardBody item={item} isResultShown={hasResult && isOpen} />
      )}
      {item.kept && (
        <p class="card-output">
          <OutputLink item={item} kept={item.kept} />
        </p>
      )}
    </article>
  );
}

/** An edit that went well shows its change: its result would only say so again. */
function hasHiddenResult({ state, output, patch }: ToolItem): boolean {
  if (state === 'running' || state === 'approval' || output === '') return false;
  return !(state === 'ok' && patch !== undefined && patch !== '');
}

interface CardHeadProps {
  readonly item: ToolItem;
  /** shows or hides the result, where there is one */
  readonly toggle: (() => void) | undefined;
  readonly isOpen: boolean;
}

function CardHead({ item, toggle, isOpen }: CardHeadProps) {
  const look = toolLook(item.tool);
  const state = STATE_LOOKS[item.state];
  return (
    <div class={`card-head${toggle ? ' can-toggle' : ''}`} onClick={toggle}>
      <span class="card-what">
        <Icon name={look.icon} />
        {look.verb}
      </span>
      <CardTarget item={item} />
      <span class="card-state">
        <LineCounts item={item} />
        <ExitCode item={item} />
        <Duration item={item} />
        <span>{state.words}</span>
        <Icon name={state.icon} spin={state.icon === 'loading'} />
      </span>
      {toggle && <ResultToggle item={item} toggle={toggle} isOpen={isOpen} />}
    </div>
  );
}

function ResultToggle({ item, toggle, isOpen }: CardHeadProps) {
  const lines = plural(item.output.trimEnd().split('\n').length, 'line');
  return (
    <button
      type="button"
      class={`icon-button codicon codicon-chevron-${isOpen ? 'down' : 'right'}`}
      aria-expanded={isOpen}
      aria-label={`${resultName(item)}, ${lines}`}
      title={`${resultName(item)}, ${lines}`}
      onClick={(event) => {
        event.stopPropagation();
        toggle?.();
      }}
    />
  );
}

function CardTarget({ item }: { readonly item: ToolItem }) {
  const { ask } = useStore();
  const isSaidBelow = item.state === 'approval' && item.approval?.command !== undefined;
  if (item.target === '' || isSaidBelow) return null;
  return (
    <span class="card-target" title={withUnseen(item.target)}>
      {toolLook(item.tool).isFile ? (
        <button
          type="button"
          class="link"
          onClick={(event) => {
            event.stopPropagation();
            void ask('openFile', { path: item.target });
          }}
        >
          <ExactText text={item.target} />
        </button>
      ) : (
        <ExactText text={item.target} />
      )}
    </span>
  );
}

function ExitCode({ item: { exitCode } }: { readonly item: ToolItem }) {
  if (exitCode === undefined) return null;
  return <span class="exit-code">{exitCode === null ? 'killed' : `exit ${exitCode}`}</span>;
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

interface CardBodyProps {
  readonly item: ToolItem;
  readonly isResultShown: boolean;
}

function CardBody({ item, isResultShown }: CardBodyProps) {
  if (item.state === 'running') return item.output === '' ? null : <LiveOutput item={item} />;
  return (
    <>
      {item.patch !== undefined && item.patch !== '' && (
        <EditPreview toolUseId={item.toolUseId} patch={item.patch} />
      )}
      {isResultShown && (
        <pre class="output" tabIndex={0} aria-label={`${resultName(item)} of ${cardLabel(item)}`}>
          <ExactText text={plainLineEnds(item.output)} />
        </pre>
      )}
    </>
  );
}

function EditPreview({ toolUseId, patch }: { readonly toolUseId: string; readonly patch: string }) {
  return (
    <div class="card-body">
      <PatchView patch={patch} />
      <OpenDiffButton toolUseId={toolUseId} />
    </div>
  );
}

/** What a command prints while it prints, its end in sight. A link below it must not move while it is clicked. */
function LiveOutput({ item: { output, kept } }: { readonly item: ToolItem }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [output]);
  const steady = kept === undefined ? '' : ' steady';
  return (
    <pre ref={box} class={`output live${steady}`} tabIndex={0} aria-label="Output so far" aria-live="off">
      <ExactText text={lastWritten(output)} />
    </pre>
  );
}

function resultName({ tool, state }: ToolItem): string {
  return state === 'error' || state === 'denied' ? 'What went wrong' : toolLook(tool).result;
}
