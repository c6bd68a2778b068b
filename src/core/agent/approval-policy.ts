import { assertNever } from '../model/assert-never.ts';
import type { Consent } from '../model/entry.ts';
import { pathInside } from '../model/path-inside.ts';
import type { ApprovalMode } from '../model/settings.ts';
import type { FileLocation } from '../ports/files.ts';
import type { Access, ResolvedFile } from '../tools/define-tool.ts';
import { commandParts } from './command-parts.ts';
import { isSensitive } from './sensitive-files.ts';

export interface ApprovalContext {
  readonly mode: ApprovalMode;
  /** false in restricted mode */
  readonly trusted: boolean;
  /** keys granted earlier in this session */
  readonly sessionGrants: { has(key: string): boolean };
  /** keys granted for good in this workspace */
  readonly always: { has(key: string): boolean };
  /** the folder of kept outputs: what tools printed may be read again, wherever it is */
  readonly outputs: FileLocation;
}

export type Verdict =
  | { readonly kind: 'allow'; readonly consent: Consent }
  | {
      readonly kind: 'ask';
      /** why, where that is not plain from the call */
      readonly reason?: string;
      /** what a lasting answer grants; empty where only this once may be allowed */
      readonly grantKeys: readonly string[];
    }
  | { readonly kind: 'refuse'; readonly reason: string };

/** May this call run? Pure: everything it depends on is given. */
export function decide(access: Access, context: ApprovalContext): Verdict {
  if (!context.trusted)
    return {
      kind: 'refuse',
      reason: 'The workspace is not trusted, so no tool runs in it. The user can trust it in the editor.',
    };
  switch (access.kind) {
    case 'read':
      return access.files.every((file) => isInside(file) || isOutput(file, context))
        ? { kind: 'allow', consent: 'free' }
        : askOutside(access.files);
    case 'edit':
      return decideEdit(access.files, context);
    case 'memory':
      // The product's own store, and the file made from it: nothing that runs, nothing that is lost. Free in every mode.
      return { kind: 'allow', consent: 'free' };
    case 'command':
      return decideCommand(access, context);
    default:
      return assertNever(access);
  }
}

function decideEdit(files: readonly ResolvedFile[], context: ApprovalContext): Verdict {
  if (!files.every(isInside)) return askOutside(files);
  const sensitive = files.find(isSensitive);
  if (sensitive !== undefined)
    return { kind: 'ask', reason: `${sensitive.label} is a sensitive file`, grantKeys: [] };
  if (context.mode !== 'ask') return { kind: 'allow', consent: 'mode' };
  return decideByGrants(
    files.map((file) => `edit:${file.root?.location}`),
    context,
  );
}

function decideCommand(
  { line, cwd }: Extract<Access, { kind: 'command' }>,
  context: ApprovalContext,
): Verdict {
  if (!isInside(cwd)) return askOutside([cwd]);
  if (context.mode === 'auto') return { kind: 'allow', consent: 'mode' };
  return decideByGrants(
    // The same words in another folder may be another command.
    commandParts(line).map((command) => `command:${cwd.location}:${command}`),
    context,
  );
}

function decideByGrants(keys: readonly string[], { always, sessionGrants }: ApprovalContext): Verdict {
  if (keys.every((key) => always.has(key))) return { kind: 'allow', consent: 'always' };
  if (keys.every((key) => always.has(key) || sessionGrants.has(key)))
    return { kind: 'allow', consent: 'session' };
  return { kind: 'ask', grantKeys: [...new Set(keys)] };
}

function isInside(file: ResolvedFile): boolean {
  return file.root !== undefined;
}

function isOutput({ location }: ResolvedFile, { outputs }: ApprovalContext): boolean {
  return pathInside(outputs, location) !== undefined;
}

function askOutside(files: readonly ResolvedFile[]): Verdict {
  const outside = files.filter((file) => !isInside(file)).map((file) => file.location);
  return { kind: 'ask', reason: `outside the workspace: ${outside.join(', ')}`, grantKeys: [] };
}
