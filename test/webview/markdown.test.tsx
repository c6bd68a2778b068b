// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarkdownText } from '../../webview/markdown.ts';
import { cutMarkdown, renderBlock } from '../../webview/markdown.ts';

function render(text: string): HTMLElement {
  const root = document.createElement('div');
  for (const block of cutMarkdown(text).blocks) root.append(renderBlock(block, false));
  return root;
}

/** Everything in a document that can run code or reach the net. */
function dangers(root: HTMLElement): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`);
    const bad = attributes.filter(
      (attribute) =>
        /^(on|style=|src|srcset|srcdoc|action|formaction|poster|background|xlink|id=|name=)/i.test(
          attribute,
        ) ||
        (/^href=/i.test(attribute) && !/^href=(https?:|mailto:|#$)/.test(attribute)),
    );
    const isBadElement =
      /^(script|style|iframe|object|embed|form|img|svg|math|video|audio|link|meta|base|template)$/i.test(
        element.tagName,
      );
    return isBadElement ? [element.tagName, ...bad] : bad;
  });
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![beacon](https://evil.example/pixel.png)',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example"><input name=q><button>go</button></form>',
  '<input type="image" src="https://evil.example/x">',
  '<a href="javascript:alert(1)">x</a>',
  '<a data-href="javascript:alert(1)">x</a>',
  '<a data-href="command:workbench.action.terminal.new">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](command:workbench.action.terminal.new)',
  '<javascript:alert(1)>',
  '<div style="position:fixed;inset:0" id="x" class="tool-card">Allow</div>',
  '<style>*{display:none}</style>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '```html\n<script>alert(1)</script>\n```',
  '[a]: javascript:alert(1)\n\n[a]',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<div><!--\n\n--><img src=x onerror=alert(1)>',
];

describe('hostile markdown', () => {
  it.each(HOSTILE)('%j is harmless', (text) => {
    expect(dangers(render(text))).toEqual([]);
  });

  it('stays harmless wherever it is cut and however it is mixed', () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string(),
      fc.constantFrom('\n\n', '```', '> ', '- '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.nat(), (pieces, where) => {
        const text = pieces.join('');
        expect(dangers(render(text))).toEqual([]);
        expect(dangers(render(text.slice(0, where % (text.length + 1))))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('markdown', () => {
  it('shows code with its language, its colours and a copy button, and every character of it', () => {
    const root = render('```ts\nconst a = "<b>" && 1;\n```');
    expect(root.querySelector('.code-header span')?.textContent).toBe('ts');
    expect(root.querySelector('code')?.textContent).toBe('const a = "<b>" && 1;');
    expect(root.querySelector('.hljs-keyword')?.textContent).toBe('const');
    expect(root.querySelector('button')?.getAttribute('aria-label')).toBe('Copy code');
  });

  it('shows code of an unknown language plainly', () => {
    expect(render('```nonsense\na < b\n```').querySelector('code')?.innerHTML).toBe('a &lt; b');
  });

  it('offers a picture as a link instead of loading it', () => {
    const link = render('![the plan](https://example.com/plan.png)').querySelector('a');
    expect(link?.textContent).toBe('the plan');
    expect(link?.href).toBe('https://example.com/plan.png');
  });

  it('keeps every form of a place in a file a link', () => {
    const titles = [
      'main.go:3',
      'src/x.js:2:1',
      'nothere.ts#L4',
      'file:///etc/hostname',
      'C:\\\\a\\\\b.txt',
    ].map((href) => render(`[here](${href})`).querySelector('a')?.title);
    expect(titles).toEqual(['main.go', 'src/x.js', 'nothere.ts', '/etc/hostname', 'C:\\a\\b.txt']);
  });

  it('shows tables, tasks and nested lists', () => {
    const root = render('| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n  - deeper');
    expect(root.querySelectorAll('td')).toHaveLength(2);
    expect(root.querySelectorAll('input[type=checkbox][disabled]')).toHaveLength(2);
    expect(root.querySelector('ul ul li')?.textContent).toBe('deeper');
  });
});

describe('a text that grows', () => {
  const line = fc.constantFrom(
    ...[
      '# Title\n',
      'words ',
      'more\n',
      '\n',
      '\n\n',
      '- item\n',
      '  - deeper\n',
      '1. one\n',
      '> said\n',
      '```ts\n',
    ],
    ...[
      '```\n',
      '| a | b |\n',
      '| --- | --- |\n',
      '| 1 | 2 |\n',
      '---\n',
      '<b>x</b>\n',
      '    indented\n',
      '\r\n',
      '=\n',
    ],
  );

  it('U2: is cut as it would be cut whole, piece by piece', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (pieces) => {
        let cut: MarkdownText | undefined;
        let source = '';
        for (const piece of pieces) cut = cutMarkdown((source += piece), cut);
        const whole = cutMarkdown(source);
        expect(cut?.blocks.map(({ raw }) => raw) ?? []).toEqual(whole.blocks.map(({ raw }) => raw));
      }),
    );
  });

  it('U2: keeps every finished block, so that only the last is drawn again', () => {
    const before = cutMarkdown('# One\n\nTwo.\n\nThree');
    const after = cutMarkdown('# One\n\nTwo.\n\nThree and more\n\nFour', before);
    expect(after.blocks).toHaveLength(4);
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks[1]).toBe(before.blocks[1]);
  });

  it('finds what a definition at its end says, once it is whole', () => {
    const text = 'See [docs].\n\n[docs]: https://example.com/';
    expect(cutMarkdown(text).definitions).toBe(1);
    expect(render(text).querySelector('a')?.href).toBe('https://example.com/');
  });
});
