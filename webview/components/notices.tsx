import type { ComponentChildren } from 'preact';
import type { Environment } from '../../src/protocol/view-model.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';

interface BannersProps {
  readonly environment: Environment;
  /** the empty panel has its own words about the missing key */
  readonly isEmpty: boolean;
}

/** What limits the agent here and now, until it no longer does. */
export function Banners({ environment, isEmpty }: BannersProps) {
  const { hasKey, isTrusted, hasFolder } = environment;
  return (
    <>
      {!isTrusted && (
        <Banner icon="shield" label="Restricted mode">
          <strong>Restricted mode.</strong> The agent can talk, but it runs no tool and ignores this folder’s
          AGENTS.md until you trust the folder.
        </Banner>
      )}
      {!hasFolder && (
        <Banner icon="folder" label="No folder">
          <strong>No folder is open.</strong> Open one, so that the agent has something to read and edit.
        </Banner>
      )}
      {!hasKey && !isEmpty && (
        <Banner icon="key" label="No API key">
          <strong>No API key.</strong> <SetKeyButton isQuiet />
        </Banner>
      )}
    </>
  );
}

interface BannerProps {
  readonly icon: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

function Banner({ icon, label, children }: BannerProps) {
  return (
    <div class="banner" role="note" aria-label={label}>
      <Icon name={icon} />
      <span class="grow">{children}</span>
    </div>
  );
}

export function SetKeyButton({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  const { ask } = useStore();
  return (
    <button
      type="button"
      class={isQuiet ? 'button secondary' : 'button'}
      onClick={() => void ask('setApiKey', undefined)}
    >
      Set API key
    </button>
  );
}
