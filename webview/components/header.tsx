import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';

/** Which model answers, always in sight: a simulated one says so in its name. */
export function Header({ model }: { readonly model: string | undefined }) {
  const { ask } = useStore();
  return (
    <header class="header">
      <Icon name="sparkle" />
      <span class="model" title={model}>
        {model ?? 'No model yet'}
      </span>
      <button
        type="button"
        class="icon-button codicon codicon-add"
        title="New session"
        aria-label="New session"
        onClick={() => void ask('newSession', undefined)}
      />
    </header>
  );
}
