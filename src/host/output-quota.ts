import * as vscode from 'vscode';
import type { AgentEvent } from '../core/model/event.ts';
import { OUTPUTS_FOLDER } from '../core/model/offloaded.ts';
import type { OutputStore } from '../core/offload/output-store.ts';
import type { QuotaPlan, SessionOutputs } from '../core/offload/quota.ts';
import { bytesOf, expire, measureOutputs, planQuota } from '../core/offload/quota.ts';
import type { FileLocation, FilePort } from '../core/ports/files.ts';
import { readSettings } from './settings.ts';
import { workspace } from './workspace.ts';

/** After the start other things come first. */
const FIRST_LOOK_MS = 15_000;
/** New outputs after which it is looked again. */
const LOOK_AGAIN_BYTES = 50_000_000;
const DAY_MS = 86_400_000;
const MEGABYTE = 1_000_000;
const ASKED = 'plimsoll.outputs.asked';
/** As sessions are named: nothing else in the folder is ours to remove. */
const SESSION_ID = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

const REMOVE = 'Remove the oldest outputs';
const KEEP = 'Keep them';

export interface OutputQuotaOptions {
  readonly outputs: OutputStore;
  readonly files: FilePort;
  /** the session of this window */
  readonly current: () => string | undefined;
  /** whether there is a log of the session */
  readonly hasLog: (sessionId: string) => Promise<boolean>;
  /** when a person was asked last */
  readonly memory: vscode.Memento;
}

/**
 * Keeps what a workspace's outputs take within the quota, in the background: those of sessions that are gone are removed,
 * others only when a person says so, and nobody is asked more than once a day.
 */
export class OutputQuota implements vscode.Disposable {
  readonly #options: OutputQuotaOptions;
  readonly #timer: NodeJS.Timeout;
  #fresh = 0;
  #looking: Promise<void> | undefined;

  constructor(options: OutputQuotaOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => void this.look(), FIRST_LOOK_MS);
  }

  hear(event: AgentEvent): void {
    if (event.type !== 'entry' || event.entry.kind !== 'tool_result') return;
    this.#fresh += event.entry.details?.output?.bytes ?? 0;
    if (this.#fresh >= LOOK_AGAIN_BYTES) void this.look();
  }

  /** Never rejects: outputs that are too many are no reason to stop. */
  look(): Promise<void> {
    this.#fresh = 0;
    this.#looking ??= this.#look()
      .catch(() => undefined) // the next look tries again
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { quotaMB } = readSettings().offload;
    const folder = await this.#ownFolder();
    if (quotaMB === null || folder === undefined) return;
    const { files, current, hasLog } = this.#options;
    const outputs = (await measureOutputs(files, folder)).filter(({ sessionId }) =>
      SESSION_ID.test(sessionId),
    );
    const logs = new Set<string>();
    for (const { sessionId } of outputs) if (await hasLog(sessionId)) logs.add(sessionId);
    const now = Date.now();
    // What is new and unknown here may be of another installation that has the folder open as well.
    const exists = ({ sessionId, newestMs }: SessionOutputs) =>
      logs.has(sessionId) || now - newestMs < DAY_MS;
    const plan = planQuota(outputs, { quota: quotaMB * MEGABYTE, current: current(), exists });
    await expire(files, folder, plan.remove);
    if (plan.ask.length > 0 && (await this.#isAgreedTo(plan, quotaMB))) await expire(files, folder, plan.ask);
  }

  /** Where outputs are; undefined where a link has taken the folder's place: what it leads to is not ours. */
  async #ownFolder(): Promise<FileLocation | undefined> {
    const { outputs, files } = this.#options;
    const { location } = outputs.folder();
    const [root] = workspace.roots();
    if (root === undefined) return location;
    if (!workspace.isTrusted()) return undefined;
    const expected = `${await files.realPath(root.location)}/${OUTPUTS_FOLDER}`;
    return (await files.realPath(location)) === expected ? location : undefined;
  }

  async #isAgreedTo({ ask, remove, total }: QuotaPlan, quotaMB: number): Promise<boolean> {
    const { memory } = this.#options;
    if (Date.now() - memory.get(ASKED, 0) < DAY_MS) return false;
    await memory.update(ASKED, Date.now());
    const taken = Math.ceil((total - bytesOf(remove)) / MEGABYTE);
    const answer = await vscode.window.showInformationMessage(
      `Plimsoll: the kept outputs of this workspace take ${taken} MB, more than the ${quotaMB} MB they may. ` +
        `Remove the oldest, of ${ask.length} ${ask.length === 1 ? 'session' : 'sessions'}? What these sessions said stays.`,
      REMOVE,
      KEEP,
    );
    return answer === REMOVE;
  }
}
