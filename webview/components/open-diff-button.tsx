import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';

/** Shows the change of a call in the editor's own diff view. */
export function OpenDiffButton({ toolUseId }: { readonly toolUseId: string }) {
  const { ask } = useStore();
  return (
    <button type="button" class="button secondary small" onClick={() => void ask('openDiff', { toolUseId })}>
      <Icon name="diff" />
      Open diff
    </button>
  );
}
