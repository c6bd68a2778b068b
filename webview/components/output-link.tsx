import type { OffloadedOutput } from '../../src/core/model/offloaded.ts';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { formatBytes, plural } from '../format.ts';
import { openOutput, OUTPUT_ATTRIBUTE, outputLinkName } from '../pager/open-output.ts';
import { useStore } from '../state.ts';
import { withUnseen } from '../unseen.ts';
import { Icon } from './icon.tsx';

interface OutputLinkProps {
  readonly item: ToolItem;
  readonly kept: OffloadedOutput;
}

/** Leads to the whole of an output that is kept in a file. */
export function OutputLink({ item, kept }: OutputLinkProps) {
  const store = useStore();
  const open = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    // Handled here alone: the editor would otherwise follow the link a second time.
    event.preventDefault();
    event.stopPropagation();
    openOutput(store, event.currentTarget);
  };
  return (
    <a
      class="output-link"
      href="#"
      title={withUnseen(kept.path)}
      aria-label={outputLinkName(item)}
      onClick={open}
      {...{ [OUTPUT_ATTRIBUTE]: item.toolUseId }}
    >
      <Icon name="output" />
      Open output{' '}
      {kept.isUnfinished !== true && (
        <span class="output-size">
          ({formatBytes(kept.bytes)}, {plural(kept.lines, 'line')})
        </span>
      )}
    </a>
  );
}
