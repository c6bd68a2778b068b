import { setImmediate as othersTurn } from 'node:timers/promises';
import type { OffloadedOutput } from '../core/model/offloaded.ts';
import { PagedOutput } from '../core/offload/paged-output.ts';
import type { FilePort } from '../core/ports/files.ts';
import type {
  OutputPage,
  OutputPageRequest,
  OutputSearchRequest,
  OutputSearchResult,
} from '../protocol/output-pages.ts';
import type { PanelState, ToolItem } from '../protocol/view-model.ts';

/** Outputs whose lines are remembered: one that is opened again later is counted again. */
const MOST_OPEN = 4;

/** The panel that asks. */
export interface PagerPanel {
  readonly state: PanelState;
  readonly isShown: boolean;
}

/** Pages and searches the outputs that the panel's cards refer to, and no other file. */
export class OutputPager {
  /** by its first file, the one looked at last at the end */
  readonly #open = new Map<string, PagedOutput>();
  #search: AbortController | undefined;
  readonly #files: FilePort;
  readonly #panel: () => PagerPanel;

  constructor(files: FilePort, panel: () => PagerPanel) {
    this.#files = files;
    this.#panel = panel;
  }

  /** Never rejects. */
  async page({ toolUseId, at, rows }: OutputPageRequest): Promise<OutputPage> {
    const tool = findTool(this.#panel().state, toolUseId);
    if (tool?.kept === undefined) return { kind: 'missing', reason: NOT_KEPT };
    const isGrowing = tool.state === 'running';
    const page = await this.#pagedOf(tool.kept).page({ ...tool.kept, isGrowing }, at, rows);
    if (page.kind === 'missing') return page;
    const { bytes, counted, isCounted, generation, ...shown } = page;
    return { ...shown, size: { bytes, ...counted, isCounted, isGrowing, generation } };
  }

  /** Gives up the search before. @throws Error in words for people */
  async search({ toolUseId, text, isCaseSensitive }: OutputSearchRequest): Promise<OutputSearchResult> {
    this.#search?.abort();
    const own = new AbortController();
    this.#search = own;
    try {
      const output = this.outputOf(toolUseId);
      return await this.#pagedOf(output).search(output, { text, isCaseSensitive }, own.signal);
    } finally {
      if (this.#search === own) this.#search = undefined;
    }
  }

  /** @throws Error in words for people where the call has none */
  outputOf(toolUseId: string): OffloadedOutput {
    const output = findTool(this.#panel().state, toolUseId)?.kept;
    if (output === undefined) throw new Error(NOT_KEPT);
    return output;
  }

  #pagedOf(output: OffloadedOutput): PagedOutput {
    const key = output.parts[0]?.file ?? output.path;
    const paged = this.#open.get(key) ?? new PagedOutput(this.#files, () => this.#pause());
    this.#open.delete(key);
    this.#open.set(key, paged);
    const [oldest] = this.#open.entries();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) {
      oldest[1].close();
      this.#open.delete(oldest[0]);
    }
    return paged;
  }

  async #pause(): Promise<void> {
    await othersTurn();
    // Nobody waits for what is found.
    if (!this.#panel().isShown) this.#search?.abort();
  }
}

const NOT_KEPT = 'There is no file with this output.';

function findTool(state: PanelState, toolUseId: string): ToolItem | undefined {
  return state.items.findLast(
    (item): item is ToolItem => item.kind === 'tool' && item.toolUseId === toolUseId,
  );
}
