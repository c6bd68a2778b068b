import type { CarriedMessage } from '../model/relief-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** Of a word of a script that has spaces between its words. */
const word = (...forms: readonly string[]) => `(?<![\\p{L}\\p{M}])(?:${forms.join('|')})(?![\\p{L}\\p{M}])`;

/** Where a sentence begins, behind the dash or number of a list. */
const BEGINNING = String.raw`^[\s\p{P}\d]{0,8}`;

/** Words that make a sentence a rule. What people forbid, demand or insist on is never left out for room. */
const STRONG = new RegExp(
  [
    word(
      ...[
        'must',
        "mustn[’']?t",
        'never',
        'always',
        'only',
        "don[’']?t",
        'do not',
        'not allowed',
        'no longer',
      ],
      ...[
        'shall',
        'required?',
        'mandatory',
        'constraints?',
        'forbidden',
        'prohibited',
        'important',
        'make sure',
      ],
      ...["you (?:cannot|can[’']?t|can not|may not|should not|shouldn[’']?t)", 'hands off', 'off[ -]limits'],
      ...[
        'under no circumstances',
        'at all costs',
        'no matter what',
        'leave .{1,80} (?:alone|as is|as it is)',
      ],
    ),
    `${BEGINNING}(?:no|stop|stay|stick|leave|hands off|not)(?= (?!problem|worries|idea|doubt)\\p{L})`,
    word(
      ...['niemals', 'nie', 'immer', 'nicht', 'kein(?:e[nmrs]?)?', 'nur', 'muss', 'musst', 'müssen', 'müsst'],
      ...['darf', 'darfst', 'dürfen', 'dürft', 'verboten', 'unbedingt', 'ausschließlich', 'zwingend'],
      ...['finger weg', 'in ruhe'],
    ),
    word(
      ...[
        'jamais',
        'toujours',
        'ne \\p{L}+',
        "n[’']\\p{L}+ (?:pas|plus|rien)",
        'interdite?s?',
        'obligatoire',
      ],
      ...['doit', 'dois', 'devez', 'doivent', 'il faut', 'uniquement', 'seulement', 'surtout pas', 'pas de'],
    ),
    word(
      ...['nunca', 'siempre', 'jamás', 'prohibid[oa]s?', 'debes?', 'deben', 'tienes? que', 'hay que', 'sólo'],
      ...['solamente', 'únicamente', 'bajo ning[uú]n', 'ningun[oa]', 'sempre', 'não', 'apenas', 'somente'],
      ...['proibid[oa]', 'deves?', 'devem', 'obrigatório', 'mai', 'vietat[oa]', 'devono', 'devi', 'soltanto'],
      ...['solo', 'non \\p{L}+', '(?:favor|pero|y|e),? no \\p{L}+'],
    ),
    word(
      ...[
        'nooit',
        'altijd',
        'niet',
        'geen',
        'alleen',
        'moet',
        'moeten',
        'aldrig',
        'aldri',
        'alltid',
        'altid',
      ],
      ...['inte', 'ikke', 'måste', 'skal', 'kun', 'nigdy', 'zawsze', 'nie', 'tylko', 'musisz', 'musi'],
      ...['asla', 'daima', 'sadece', 'yalnızca', 'yasak', 'sakın', 'dokunma', 'silme', 'değiştirme'],
      ...['jangan', 'harus', 'selalu', 'hanya', 'dilarang', 'wajib', 'tidak boleh'],
      ...['đừng', 'không được', 'luôn', 'phải', 'cấm', 'tuyệt đối'],
    ),
    word(
      ...['нельзя', 'никогда', 'всегда', 'только', 'должн[аоы]', 'должен', 'запрещено', 'обязательно'],
      ...['ни в коем случае', 'не (?:надо|нужно|смей|\\p{L}+(?:й|йте|ь|ьте|и|ите|ть|ти))'],
      ...['ніколи', 'завжди', 'тільки', 'заборонено', 'не \\p{L}+(?:йте|іть|ти)'],
      ...['ποτέ', 'πάντα', 'μην?', 'πρέπει', 'μόνο', 'لا', 'يجب', 'ممنوع', 'دائما', 'فقط', 'أبدا'],
      ...['אסור', 'חייב', 'תמיד', 'לעולם', 'मत', 'कभी', 'हमेशा', 'केवल', 'सिर्फ', 'ज़रूरी'],
    ),
    '不要|必[须須]|禁止|[务務]必|不能|不可|不[许許]|不得|不准|不[应應]|切?勿|只[能用许許]|[绝絕][对對]|永[远遠]|始[终終]|千[万萬]|[严嚴]禁|[总總]是',
    '(?<![特分类類识識区區级級性个個差告辨鉴])[别別](?![的人名处處])',
    'しないで|ないでください|てはいけ|ではいけ|てはなら|てはだめ|てはダメ|[るうくすつぬむぐぶ]な(?=[。！!\\s]|$)|必ず|必須|絶対|決して|常に|触らない|のみ',
    '절대|지\\s?(?:마|말)|말\\s?것|금지|반드시|항상|안\\s?(?:됩니다|돼|된다)|해야|필수|오직',
    'ห้าม|ต้อง|อย่า|เสมอ|เท่านั้น',
  ].join('|'),
  'iu',
);
const WEAK = new RegExp(
  word(
    ...['should', 'ensure', 'instead of', 'avoid', 'prefer', 'without', 'except', 'unless', 'keep', 'use'],
    ...['remember', 'cannot', "can[’']?t", 'please', 'ohne', 'bitte', 'soll(?:te)?', 'vermeide', 'sans'],
    ...['évitez?', 'sin', 'evita', 'без', 'нужно', 'надо'],
  ) + '|ください|应[该當]|應該|保持|주세요',
  'iu',
);

const LEFT_OUT = '[…]';

/** Characters of a message in which rules are looked for: of a longer one as many at its beginning and at its end. */
const MOST_READ = 400_000;
/** What was found in a text up to this length is kept. */
const KEPT_LENGTH = 20_000;
/** Texts whose analysis is kept: several forms of each message that is carried. */
const MOST_REMEMBERED = 2_000;

/** How many rules of a message are kept, and how many characters of each. */
export interface Tightness {
  readonly most: number;
  readonly length: number;
  readonly isStrongOnly: boolean;
}

interface Sentence {
  readonly words: string;
  readonly isStrong: boolean;
  readonly isWeak: boolean;
  /** where the word stands that makes it a rule */
  readonly at: number;
}

/** Tokens of what is short: a line or two, in which every word may matter, whichever words these are. */
const SHORT = 25;

export const isShort = remembered((text): boolean => estimateTokens(text) <= SHORT);

const isRule = ({ isStrong, isWeak }: Sentence) => isStrong || isWeak;

/** The sentences that rule something, the last ones first to be kept: people end on what they insist on. */
export function rulesOf(
  text: string,
  { most, length, isStrongOnly }: Tightness,
  said: Set<string> = new Set(),
): string {
  const sentences = sentencesOf(text);
  const rules = sentences.filter(
    ({ words, isStrong, isWeak }) => (isStrong || (isWeak && !isStrongOnly)) && !said.has(words),
  );
  const kept = rules.slice(-Math.min(most, rules.length));
  for (const { words } of kept) said.add(words);
  if (kept.length === 0) return '';
  const left = kept.length < sentences.length ? `${LEFT_OUT} ` : '';
  return left + kept.map((rule) => ruleWithin(rule, length)).join(` ${LEFT_OUT} `);
}

/** The rules of every message: the same one said again is kept where it was said last. */
export function rulesOfAll(texts: readonly string[], tightness: Tightness): string[] {
  const said = new Set<string>();
  return texts
    .toReversed()
    .map((text) => rulesOf(text, tightness, said))
    .toReversed();
}

/** What is said word for word again later, after the first: it is heard where it was said last. */
export function repeatedLater(messages: readonly CarriedMessage[]): ReadonlySet<CarriedMessage> {
  const last = new Map(messages.map((message) => [message.text, message]));
  return new Set(messages.slice(1).filter((message) => last.get(message.text) !== message));
}

/** Of a rule that is shortened the word that makes it one must stay. */
function ruleWithin({ words, at }: Sentence, length: number): string {
  if (words.length <= length || at < length / 2) return cut(words, length);
  return `${LEFT_OUT} ${cut(words.slice(at - Math.floor(length / 4)), length)}`.toWellFormed();
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()} ${LEFT_OUT}`.toWellFormed();
}

const RULE_LENGTH = 320;

/**
 * A message within so many characters: its beginning and end, where people say what matters first and last, and between
 * them the rules that would be left out with the rest.
 */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const ends = (part: number) => [text.slice(0, part), text.slice(text.length - part)] as const;
  const third = Math.floor(length / 3);
  const [head, tail] = ends(third);
  const rules = rulesOutside([head, tail], sentencesOf(text), third);
  const parts = rules.length === 0 ? ends(Math.floor(length / 2) - 3) : [head, ...rules, tail];
  return parts.join(` ${LEFT_OUT} `).toWellFormed();
}

/** What is not said in `told`: the strongest and last of it within so many characters, in order. */
function rulesOutside(told: readonly string[], sentences: readonly Sentence[], room: number): string[] {
  const rules = sentences.filter(isRule).toReversed();
  const kept = new Set<Sentence>();
  const said = new Set<string>();
  let left = room;
  for (const rule of [
    ...rules.filter(({ isStrong }) => isStrong),
    ...rules.filter(({ isStrong }) => !isStrong),
  ]) {
    const cost = Math.min(rule.words.length, RULE_LENGTH) + 12;
    if (cost > left || said.has(rule.words)) continue;
    said.add(rule.words);
    if (told.some((part) => part.includes(rule.words))) continue;
    kept.add(rule);
    left -= cost;
  }
  return sentences.filter((sentence) => kept.has(sentence)).map((rule) => ruleWithin(rule, RULE_LENGTH));
}

/** Where something was left out, nothing goes on: what stands on both sides are different sentences. */
const BETWEEN_SENTENCES = /(?<=[.!?])\s+|(?<=[。！？])\s*|\n+| ?\[…\] ?/;

const readSentences = remembered((text): readonly Sentence[] =>
  text
    .split(BETWEEN_SENTENCES)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map(readSentence),
);

function readSentence(words: string): Sentence {
  const strong = words.search(STRONG);
  const weak = strong >= 0 ? -1 : words.search(WEAK);
  return { words, isStrong: strong >= 0, isWeak: weak >= 0, at: Math.max(0, strong, weak) };
}

function sentencesOf(text: string): readonly Sentence[] {
  if (text.length <= MOST_READ) return readSentences(text);
  return readSentences(`${text.slice(0, MOST_READ / 2)}\n${text.slice(text.length - MOST_READ / 2)}`);
}

/** The same words come again with every compaction: what was found out of them is kept, for the last so many. */
export function remembered<Value>(find: (text: string) => Value): (text: string) => Value {
  let known = new Map<string, Value>();
  return (text) => {
    if (text.length > KEPT_LENGTH) return find(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known = new Map();
    const found = find(text);
    known.set(text, found);
    return found;
  };
}
