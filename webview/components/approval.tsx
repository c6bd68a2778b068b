import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDecision, ApprovalRequest } from '../../src/core/model/event.ts';
import { sentence } from '../activity.ts';
import { takeFocusPolitely } from '../focus.ts';
import { useStore } from '../state.ts';
import { ExactText } from './exact-text.tsx';
import { Icon } from './icon.tsx';
import { OpenDiffButton } from './open-diff-button.tsx';
import { PatchView } from './patch-view.tsx';

const QUESTIONS = {
  read: 'Read this?',
  edit: 'Make this change?',
  command: 'Run this command?',
} as const;

/** The question on a card, and its answers. */
export function Approval({ request }: { readonly request: ApprovalRequest }) {
  const { ask, requestComposerFocus } = useStore();
  const [isDenying, setDenying] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => takeFocusPolitely(question.current), []);

  const answer = (decision: ApprovalDecision) => {
    setAnswered(true);
    // The buttons go with the question: whoever used them must not be left nowhere.
    requestComposerFocus();
    void ask('answerApproval', { toolUseId: request.toolUseId, decision }).then(setAnswered);
  };
  return (
    <div
      class="approval"
      ref={question}
      role="group"
      tabIndex={-1}
      aria-label={`Approval needed. ${QUESTIONS[request.action]}`}
    >
      {request.command !== undefined && (
        <pre class="command">
          <ExactText text={request.command} />
        </pre>
      )}
      {request.patch !== undefined && request.patch !== '' && (
        <>
          <PatchView patch={request.patch} />
          <OpenDiffButton toolUseId={request.toolUseId} />
        </>
      )}
      {request.reason !== undefined && request.reason !== '' && (
        <p class="reason">
          <Icon name="warning" />
          <span class="grow">
            <ExactText text={sentence(request.reason)} />
          </span>
        </p>
      )}
      <fieldset disabled={isAnswered}>
        {isDenying ? (
          <DenyForm answer={answer} cancel={() => setDenying(false)} />
        ) : (
          <Answers request={request} answer={answer} deny={() => setDenying(true)} />
        )}
      </fieldset>
    </div>
  );
}

interface AnswersProps {
  readonly request: ApprovalRequest;
  readonly answer: (decision: ApprovalDecision) => void;
  readonly deny: () => void;
}

function Answers({ request, answer, deny }: AnswersProps) {
  const allow = (scope: 'once' | 'session' | 'always') => () => answer({ kind: 'allow', scope });
  return (
    <div class="buttons">
      <button type="button" class="button" onClick={allow('once')}>
        Allow
      </button>
      {request.canRemember && (
        <>
          <button type="button" class="button secondary" onClick={allow('session')}>
            Allow for this session
          </button>
          <button
            type="button"
            class="button secondary"
            title="Always allow in this workspace"
            onClick={allow('always')}
          >
            Always allow
          </button>
        </>
      )}
      <button type="button" class="button secondary" onClick={deny}>
        Deny
      </button>
    </div>
  );
}

interface DenyFormProps {
  readonly answer: (decision: ApprovalDecision) => void;
  readonly cancel: () => void;
}

function DenyForm({ answer, cancel }: DenyFormProps) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="deny-form"
      onSubmit={(event) => {
        event.preventDefault();
        answer({ kind: 'deny', reason: reason.trim() });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.stopPropagation();
        cancel();
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label="Reason for denying"
        placeholder="Tell the agent why (optional)"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button">
          Deny
        </button>
        <button type="button" class="button secondary" onClick={cancel}>
          Back
        </button>
      </div>
    </form>
  );
}
