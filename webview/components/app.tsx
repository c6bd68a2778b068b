import { useEffect } from 'preact/hooks';
import { watchTyping } from '../focus.ts';
import { MemoryPanel } from '../memory/memory-panel.tsx';
import { useStore } from '../state.ts';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { Header } from './header.tsx';
import { Icon } from './icon.tsx';
import { Meter } from './meter.tsx';
import { Banners } from './notices.tsx';
import { QueuedCompaction } from './queued-compaction.tsx';
import { TabPanel } from './tabs.tsx';

export function App() {
  const { panel } = useStore();
  const state = panel.value;
  useEffect(watchTyping, []);
  if (state === undefined) return <Opening />;
  return (
    <>
      <Header model={state.model} />
      <Banners environment={state.environment} isEmpty={state.items.length === 0} />
      <div class="tab-panels">
        <TabPanel tab="chat">
          <Conversation key={state.sessionId} state={state} />
          <footer class="dock">
            <Refusal />
            <QueuedCompaction queued={state.queuedCompaction} />
            <Meter ledger={state.ledger} isPreparing={state.isPreparing === true} />
            <Composer activity={state.activity} />
          </footer>
        </TabPanel>
        <TabPanel tab="memory">
          <MemoryPanel />
        </TabPanel>
      </div>
    </>
  );
}

function Opening() {
  const { refusal } = useStore();
  return (
    <p class="opening" role="status">
      {refusal.value ?? 'Opening the session…'}
    </p>
  );
}

/** A request that the host turned down: said where the hand is, gone with a click or the next request. */
function Refusal() {
  const { refusal } = useStore();
  if (refusal.value === undefined) return null;
  return (
    <div class="refusal" role="alert">
      <Icon name="error" />
      <span class="grow">{refusal.value}</span>
      <button
        type="button"
        class="icon-button codicon codicon-close"
        aria-label="Dismiss"
        onClick={() => (refusal.value = undefined)}
      />
    </div>
  );
}
