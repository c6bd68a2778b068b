import { once } from '../../src/core/model/once.ts';
import type { PanelItem, ToolItem } from '../../src/protocol/view-model.ts';
import { linkTarget } from '../links.ts';
import type { Store } from '../state.ts';
import type { TextPart } from '../unseen.ts';
import { partsWithUnseen, withUnseen } from '../unseen.ts';

/** Names the call whose output a link opens. */
export const OUTPUT_ATTRIBUTE = 'data-output';

export function outputLinkName({ tool, target }: Pick<ToolItem, 'tool' | 'target'>): string {
  return `Open output ${tool} ${withUnseen(target)}`.trim();
}

/** @param link what was followed: it gets the focus back when the output is closed */
export function openOutput(store: Store, link: HTMLElement, line?: number): void {
  const sessionId = store.panel.peek()?.sessionId;
  const toolUseId = link.getAttribute(OUTPUT_ATTRIBUTE);
  if (sessionId === undefined || toolUseId === null) return;
  link.focus({ preventScroll: true });
  const isWrapped = store.output.peek()?.isWrapped ?? true;
  store.output.value = { sessionId, toolUseId, row: 0, isWrapped, ...(line !== undefined && { line }) };
}

/** Outputs of the session that are kept in files, by their paths as the model is told them. */
const outputsByPath = once((items: readonly PanelItem[]): ReadonlyMap<string, ToolItem> => {
  const outputs = new Map<string, ToolItem>();
  for (const item of items)
    if (item.kind === 'tool' && item.kept !== undefined) outputs.set(plainPath(item.kept.path), item);
  return outputs;
});

/** Makes links of what names the file of an output: a link to it, or its path as code. */
export function linkOutputs(text: DocumentFragment, items: () => readonly PanelItem[]): void {
  for (const found of text.querySelectorAll<HTMLElement>('a[data-href], code')) {
    const link = found.closest('a');
    if (found.closest('pre') !== null || (link !== null && link !== found)) continue;
    const target = linkTarget(found.dataset['href'] ?? found.textContent);
    if (target?.kind !== 'file') continue;
    const output = outputsByPath(items()).get(plainPath(target.path));
    if (output !== undefined) finishOutputLink(link ?? linkAround(found), output, target.line);
  }
}

function linkAround(code: HTMLElement): HTMLAnchorElement {
  const link = code.ownerDocument.createElement('a');
  link.href = '#';
  link.title = code.textContent;
  code.replaceWith(link);
  link.append(code);
  return link;
}

function finishOutputLink(link: HTMLAnchorElement, output: ToolItem, line: number | undefined): void {
  link.setAttribute(OUTPUT_ATTRIBUTE, output.toolUseId);
  link.setAttribute('aria-label', outputLinkName(output));
  for (const node of textNodesOf(link)) node.replaceWith(...partsWithUnseen(node.data).map(partNode));
  if (line !== undefined) link.dataset['line'] = String(line);
}

function textNodesOf(link: HTMLElement): readonly Text[] {
  const nodes = [...link.childNodes];
  return nodes.flatMap((node) => {
    if (node instanceof Text) return [node];
    return node instanceof HTMLElement ? textNodesOf(node) : [];
  });
}

function partNode({ text, isUnseen }: TextPart): Node {
  if (!isUnseen) return document.createTextNode(text);
  const span = document.createElement('span');
  span.className = 'unseen';
  span.textContent = text;
  return span;
}

function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}
