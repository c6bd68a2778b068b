import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesOf, shortened } from '../../../src/core/context/user-rules.ts';

const ROOMY = { most: 6, length: 320, isStrongOnly: false };
const STRONG = { most: 6, length: 320, isStrongOnly: true };
const chat = 'The window looks out over the water and the boats go by all day long. ';

describe('a sentence is a rule', () => {
  it.each([
    ...[
      'Never push.',
      'Hands off legacy.py.',
      'Leave config.yml alone.',
      'Stay on Node 18.',
      '- No semicolons',
    ],
    ...['You cannot delete fixtures.json', 'you can’t use lodash', 'Stop reformatting!', '2) Stick to tabs.'],
    ...['Fass das auf keinen Fall an, das darf nicht weg.', 'Finger weg von alt.py', 'Keine neuen Pakete.'],
    ...[
      'Ne touche pas au fichier',
      'n’efface rien',
      'Il faut garder ça',
      'No toques nada',
      'debes usar httpie',
    ],
    ...['Não mexa nisso', 'Non toccare main.c', 'Raak dit niet aan', 'Rör inte filen', 'Nie ruszaj tego'],
    ...[
      'Не трогай prod.env',
      'ничего нельзя удалять',
      'не удалять логи',
      'Dosyaya dokunma',
      'Jangan sentuh ini',
    ],
    ...[
      'ファイルを変更しないでください',
      '消すな。',
      '必ずテストする',
      '절대 수정하지 마세요',
      '건드리지 말 것',
    ],
    ...[
      '别动 prod.yaml',
      '請務必先測試',
      '只能用 httpie',
      '切勿删除',
      'ห้ามลบไฟล์นี้',
      'đừng sửa tệp này',
      'لا تحذف الملف',
    ],
  ])('%s', (rule) => {
    const found = rulesOf(`${chat}\n${rule}\n${chat}`, STRONG);
    expect(found).toBe(`[…] ${rule}`);
  });

  it.each([
    ...['The boats go by.', 'What is this about?', 'nothing to see', 'Das ist der Hafen.', 'C’est le port.'],
    ...[
      'Esto es el puerto.',
      'Это порт.',
      'これは港です。',
      '여기는 항구입니다.',
      '这是特别好的港口，别的都一样',
      'No problem!',
    ],
  ])('and this is none: %s', (words) => {
    expect(rulesOf(words, ROOMY)).toBe('');
  });

  it('a rule that is shortened keeps the word that makes it one', () => {
    const rule = rulesOf(`${'and then the boats go by '.repeat(40)}but never touch db.sqlite today`, ROOMY);
    expect(rule).toContain('never touch db.sqlite');
    expect(rule.length).toBeLessThan(360);
  });

  it('sentences on both sides of what was left out are different ones', () => {
    expect(rulesOf('the boats […] Never push. […] the harbour', ROOMY)).toBe('[…] Never push.');
  });
});

describe('a message is shortened', () => {
  it('to its beginning and end, and the rules between them, the strongest where not all have room', () => {
    const middle = `${chat.repeat(90)}Never touch db.sqlite. ${'You should look at it. '.repeat(2)}${chat.repeat(90)}`;
    const text = `Begin here. ${middle} End here.`;
    const short = shortened(text, 600);
    expect(short.length).toBeLessThanOrEqual(600);
    expect(short).toMatch(/^Begin here\..*\[…\] Never touch db\.sqlite\. \[…\].*End here\.$/s);
    expect(shortened(short, 600)).toBe(short);
  });

  it('in any text: within its length, well-formed, and not at all where it is short enough', () => {
    const unit = fc.constantFrom(
      chat,
      'Never x. ',
      '別動 a。',
      '😀',
      '\ud83d',
      '\n',
      'You must not. ',
      'x'.repeat(400),
    );
    const texts = fc.array(unit, { maxLength: 120 }).map((parts) => parts.join('').toWellFormed());
    fc.assert(
      fc.property(texts, fc.integer({ min: 120, max: 4_000 }), (text, length) => {
        const short = shortened(text, length);
        if (text.length <= length) expect(short).toBe(text);
        else expect(short.length).toBeLessThanOrEqual(length);
        expect(short.isWellFormed()).toBe(true);
      }),
    );
  });
});

/** What comes to an end within a test's time is linear. */
it.each([
  ...[
    'a',
    '漢',
    ' ',
    '\n',
    '. ',
    '...',
    'never ',
    'leave ',
    'ne ',
    'не а',
    'do not x.\n',
    '必须。',
    '[…] ',
    '😀',
  ],
])('T15: %j over and over is looked through for rules in the time that reading takes', (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  expect(shortened(`${text} Never push. `, 12_000)).toContain('Never push.');
});
