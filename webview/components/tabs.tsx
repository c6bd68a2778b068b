import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { plural } from '../format.ts';
import { useStore } from '../state.ts';
import type { PanelTab } from '../saved-state.ts';
import { PANEL_TABS } from '../saved-state.ts';
import { Heard } from './heard.tsx';
import { Icon } from './icon.tsx';

const tabId = (tab: PanelTab) => `tab-${tab}`;
const panelId = (tab: PanelTab) => `panel-${tab}`;

/** Which part of the panel is shown. The arrow keys go from one to the other, and show it at once. */
export function Tabs() {
  const { tab } = useStore();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabAfter(event.key, tab.peek());
    if (next === undefined) return;
    event.preventDefault();
    tab.value = next;
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the panel" ref={list} onKeyDown={onKeyDown}>
      <Tab tab="chat">
        Chat
        <ChatMarks />
      </Tab>
      <Tab tab="memory">
        Memory
        <MemoryMarks />
      </Tab>
    </div>
  );
}

interface TabProps {
  readonly tab: PanelTab;
  readonly children: ComponentChildren;
}

function Tab({ tab, children }: TabProps) {
  const { tab: current } = useStore();
  const isSelected = current.value === tab;
  return (
    <button
      type="button"
      role="tab"
      class="tab"
      id={tabId(tab)}
      aria-selected={isSelected}
      aria-controls={panelId(tab)}
      tabIndex={isSelected ? 0 : -1}
      onClick={() => (current.value = tab)}
    >
      {children}
    </button>
  );
}

/** What waits in the conversation while something else is looked at. */
function ChatMarks() {
  const { panel, tab } = useStore();
  if (tab.value === 'chat' || panel.value?.activity.kind !== 'awaiting_approval') return null;
  return (
    <>
      <Icon name="question" />
      <Heard>: the agent waits for your approval</Heard>
    </>
  );
}

function MemoryMarks() {
  const { memory } = useStore();
  const count = memory.inbox.proposals.value.length;
  return (
    <>
      {memory.text.isUnsaved.value && (
        <>
          <Icon name="circle-filled" />
          <Heard>, unsaved changes</Heard>
        </>
      )}
      {count > 0 && (
        <>
          <span class="tab-count" aria-hidden="true">
            {count}
          </span>
          <Heard>{`, ${plural(count, 'suggestion')}`}</Heard>
        </>
      )}
    </>
  );
}

/** It stays as it is while another one is shown: where it was scrolled to, and what was typed. */
export function TabPanel({ tab, children }: TabProps) {
  const { tab: current } = useStore();
  const isShown = current.value === tab;
  return (
    <div
      role="tabpanel"
      class={isShown ? 'tab-panel' : 'tab-panel away'}
      id={panelId(tab)}
      aria-labelledby={tabId(tab)}
      inert={!isShown}
    >
      {children}
    </div>
  );
}

function tabAfter(key: string, current: PanelTab): PanelTab | undefined {
  const index = PANEL_TABS.indexOf(current);
  switch (key) {
    case 'ArrowRight':
      return PANEL_TABS[(index + 1) % PANEL_TABS.length];
    case 'ArrowLeft':
      return PANEL_TABS.at(index - 1);
    case 'Home':
      return PANEL_TABS[0];
    case 'End':
      return PANEL_TABS.at(-1);
    default:
      return undefined;
  }
}
