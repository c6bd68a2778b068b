import createDOMPurify from 'dompurify';
import type { Token } from 'marked';
import { Marked } from 'marked';
import { highlight } from './highlight.ts';
import { linkTarget } from './links.ts';

/** A top-level piece of a markdown text: what is rendered, and rendered anew, on its own. */
export interface MarkdownBlock {
  readonly raw: string;
  readonly token: Token;
}

/** A text that was cut into blocks, kept so that a longer one can be cut from where this one ended. */
export interface MarkdownText {
  readonly source: string;
  readonly blocks: readonly MarkdownBlock[];
  /** where the last block, the only one that more text can change, starts in the source */
  readonly lastStart: number;
  /** link definitions, which any block may refer to; only counted in a text that was cut whole */
  readonly definitions: number;
}

const marked = new Marked({
  gfm: true,
  renderer: {
    link({ href, tokens }) {
      return `<a data-href="${escapeAttribute(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
    // A picture from the net would tell its server who reads what: it is offered as a link.
    image({ href, text }) {
      return `<a data-href="${escapeAttribute(href)}">${escapeText(text || href)}</a>`;
    },
    code({ text, lang }) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? '';
      return `<pre><code data-language="${escapeAttribute(language)}">${escapeText(text)}</code></pre>`;
    },
  },
});

/**
 * Cuts a text into blocks. Where it continues `previous`, only the last block is read again and the others are the
 * same objects, so that a long streamed answer costs what its end costs.
 */
export function cutMarkdown(source: string, previous?: MarkdownText): MarkdownText {
  const base = previous !== undefined && continues(source, previous) ? previous : undefined;
  if (base !== undefined && source.length === base.source.length) return base;
  const blocks = base?.blocks.slice(0, -1) ?? [];
  let offset = base?.lastStart ?? 0;
  let lastStart = offset;
  let definitions = 0;
  for (const token of marked.lexer(source.slice(offset))) {
    if (token.type === 'def') definitions++;
    if (token.type !== 'space' && token.type !== 'def') {
      lastStart = offset;
      blocks.push({ raw: token.raw, token });
    }
    offset += token.raw.length;
  }
  return { source, blocks, lastStart, definitions: base === undefined ? definitions : 0 };
}

/** The lexer rewrites carriage returns, which shifts its offsets: such a text is cut whole each time. */
function continues(source: string, previous: MarkdownText): boolean {
  return source.startsWith(previous.source) && !source.includes('\r');
}

const ALLOWED_TAGS = [
  ...[
    'p',
    'br',
    'hr',
    'strong',
    'b',
    'em',
    'i',
    'del',
    's',
    'code',
    'pre',
    'kbd',
    'sub',
    'sup',
    'blockquote',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'a', 'input', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ALLOWED_ATTRIBUTES = ['data-href', 'data-language', 'align', 'start', 'type', 'checked', 'disabled'];

let purifier: ReturnType<typeof createDOMPurify> | undefined;

/** Safe nodes, whatever the text says: allowed elements only, and links only as {@link linkTarget} lets them be. */
export function renderBlock(block: MarkdownBlock, isLive: boolean): DocumentFragment {
  purifier ??= createDOMPurify(window);
  const fragment = purifier.sanitize(marked.parser([block.token]), {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ALLOWED_ATTRIBUTES,
    // Judged by `linkTarget` alone: `main.go:3` looks like a scheme to anybody else.
    ADD_URI_SAFE_ATTR: ['data-href'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  fragment.querySelectorAll('a').forEach(finishLink);
  fragment.querySelectorAll('input').forEach(finishCheckbox);
  fragment.querySelectorAll('table').forEach(finishTable);
  fragment.querySelectorAll('pre').forEach((pre) => finishCode(pre, isLive));
  return fragment;
}

function finishLink(link: HTMLAnchorElement): void {
  const target = linkTarget(link.dataset['href'] ?? '');
  if (target === undefined) {
    link.removeAttribute('data-href');
    return;
  }
  link.href = target.kind === 'external' ? target.url : '#';
  link.title = target.kind === 'external' ? target.url : target.path;
}

function finishCheckbox(input: HTMLInputElement): void {
  if (input.type !== 'checkbox') input.remove();
  input.disabled = true;
}

function finishTable(table: HTMLTableElement): void {
  const scroller = table.ownerDocument.createElement('div');
  scroller.className = 'table-scroll';
  scroller.tabIndex = 0;
  table.replaceWith(scroller);
  scroller.append(table);
}

/** While it streams a block is coloured as long as it is short: it is rendered again with every frame. */
const LIVE_HIGHLIGHT_LIMIT = 4_000;

function finishCode(pre: HTMLPreElement, isLive: boolean): void {
  const code = pre.querySelector('code');
  if (code === null) return;
  const { ownerDocument } = pre;
  const text = code.textContent;
  const language = code.dataset['language'] ?? '';
  const isColoured = !isLive || text.length <= LIVE_HIGHLIGHT_LIMIT;
  const html = isColoured ? highlight(text, language) : undefined;
  if (html !== undefined) code.innerHTML = html;
  pre.tabIndex = 0;

  const header = ownerDocument.createElement('div');
  header.className = 'code-header';
  const label = ownerDocument.createElement('span');
  label.textContent = language;
  const copy = ownerDocument.createElement('button');
  copy.type = 'button';
  copy.className = 'icon-button codicon codicon-copy';
  copy.title = 'Copy';
  copy.setAttribute('aria-label', 'Copy code');
  copy.dataset['copy'] = '';
  header.append(label, copy);

  const frame = ownerDocument.createElement('div');
  frame.className = 'code-block';
  pre.replaceWith(frame);
  frame.append(header, pre);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
