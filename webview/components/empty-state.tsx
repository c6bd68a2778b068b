import type { Environment } from '../../src/protocol/view-model.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { SetKeyButton } from './notices.tsx';

const EXAMPLES = [
  'Explain how this project is put together.',
  'Run the tests and fix what fails.',
  'Find the riskiest function here and write a test for it.',
] as const;

export function EmptyState({ environment }: { readonly environment: Environment }) {
  return (
    <div class="empty">
      <Mark />
      {environment.hasKey ? <Invitation /> : <Welcome />}
    </div>
  );
}

function Invitation() {
  const store = useStore();
  return (
    <>
      <h1>What shall we work on?</h1>
      <p>Plimsoll reads, edits and runs things in this folder. It asks before it changes anything.</p>
      <ul class="examples" aria-label="Examples">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button
              type="button"
              class="example"
              onClick={() => {
                store.draft.value = example;
                store.requestComposerFocus();
              }}
            >
              <span class="grow">{example}</span>
              <Icon name="arrow-right" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Welcome() {
  return (
    <>
      <h1>Welcome to Plimsoll</h1>
      <p>
        A coding agent that keeps its bearings on long work. To begin it needs an Anthropic API key; the key
        stays in this editor’s secret storage.
      </p>
      <SetKeyButton />
    </>
  );
}

/** The load line on a ship's hull: a circle crossed by the waterline. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <circle cx="24" cy="24" r="13" fill="none" stroke="currentColor" stroke-width="2.5" />
      <line x1="4" y1="24" x2="44" y2="24" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" />
    </svg>
  );
}
