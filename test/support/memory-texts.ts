const SUBJECTS = [
  'The parser',
  'The test run',
  'The build',
  'Every migration',
  'The panel',
  'A release',
  'The cache',
  '数据库',
];
const VERBS = [
  'uses',
  'is run before',
  'never touches',
  'is written by',
  'waits for',
  'must be kept beside',
  '不要修改',
];
const OBJECTS = [
  'the database',
  'the settings file',
  'max_output_tokens',
  'parseMemoryFile',
  'the worker',
  '配置文件',
];

function pick(words: readonly string[], seed: number): string {
  return words[seed % words.length] ?? '';
}

/** A sentence as people write them into memories: common words in all of them, and names of its own. */
export function memoryText(n: number): string {
  const name = `module${(n * 7_919) % 2_503}`;
  return (
    `${pick(SUBJECTS, n)} of ${name} ${pick(VERBS, n * 31 + (n >> 3))} ${pick(OBJECTS, n * 17 + (n >> 5))} in ` +
    `src/${name}/part${n % 97}.ts, because the team has agreed on it in review ${n}.`
  );
}

export const MEMORY_TEXTS = {
  all: (count: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => memoryText(n).toLowerCase()),
  queries: {
    'a word that is in all': 'the',
    'several words that are in all': 'the team has agreed on it in review because of src ts',
    'a rare word': 'module1234 ',
    'a sentence': 'what does the parser of module77 wait for before the database is migrated',
    'one letter': 't',
    'the beginning of many words': 'mod',
    'Chinese words': '修改数据库配置',
    'a path': 'src/module1234/part7.ts',
  },
};
