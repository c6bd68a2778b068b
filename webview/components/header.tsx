import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { Tabs } from './tabs.tsx';

/** What is shown, and which model answers, always in sight: a simulated one says so in its name. */
export function Header({ model }: { readonly model: string | undefined }) {
  const { ask, tab } = useStore();
  const begin = () => {
    tab.value = 'chat';
    void ask('newSession', undefined);
  };
  return (
    <header class="header">
      <Tabs />
      <span class="model" title={model}>
        <Icon name="sparkle" />
        {model ?? 'No model yet'}
      </span>
      <button
        type="button"
        class="icon-button codicon codicon-add"
        title="New session"
        aria-label="New session"
        onClick={begin}
      />
    </header>
  );
}
