/** A secret of each known shape as it is met. None of them ever opened anything; put together here so that no scanner takes them for real. */
interface Sample {
  readonly text: string;
  readonly secret: string;
  readonly what: string;
}

const SIGNS = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcDeFgHiJkLmNoPqRsTuVwXyZ0123456789bCeFhIkLnOqRtUwXz';
const some = (length: number) => SIGNS.repeat(3).slice(0, length);
const hex = (length: number) => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c'.slice(0, length);
const UPPER = 'Q7WERTY8UIOP2ASDFGHJ';
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const plain = (what: string, secret: string): Sample => ({ text: `key: ${secret} and more`, secret, what });
const inside = (what: string, secret: string, around: readonly [string, string]): Sample => ({
  text: around.join(secret),
  secret,
  what,
});

const jwt = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890', name: 'Ada' })}.${some(43)}`;

export const SECRETS: Readonly<Record<string, Sample>> = {
  anthropic: plain('Anthropic API key', `sk-ant-${'api03'}-${some(50)}_-${some(41)}AA`),
  'anthropic, short': plain('Anthropic API key', `sk-ant-${'abcdefghijklmnopqrstuvwx'}`),
  openai: plain('API key', `sk-${some(48)}`),
  'openai, of a project': plain('OpenAI API key', `sk-${'proj'}-${some(40)}_${some(70)}-${some(20)}`),
  openrouter: plain('API key', `sk-${'or-v1'}-${hex(48)}${hex(16)}`),
  ...Object.fromEntries(
    ['p', 'o', 'u', 's', 'r'].map((kind) => [
      `github, gh${kind}`,
      plain('GitHub token', `gh${kind}_${some(36)}`),
    ]),
  ),
  'github, fine-grained': plain('GitHub token', `github_${'pat'}_${some(22)}_${some(59)}`),
  gitlab: plain('GitLab token', `glpat-${some(9)}-${some(10)}`),
  'gitlab, routable': plain('GitLab token', `glpat-${some(27)}.01.0w1x2y3z4`),
  ...Object.fromEntries(
    ['a', 'b', 'p', 'r', 's'].map((kind) => [
      `slack, xox${kind}`,
      plain('Slack token', `xox${kind}-${'123456789012'}-${'1234567890123'}-${some(24)}`),
    ]),
  ),
  'aws, access key': plain('AWS access key', `AKIA${UPPER.slice(0, 16)}`),
  'aws, temporary access key': plain('AWS access key', `ASIA${UPPER.slice(4)}`),
  'aws, secret key': inside('AWS secret key', `${some(20)}/+${some(18)}`, ['aws_secret_access_key = ', '\n']),
  'aws, secret key in the environment': inside('AWS secret key', some(40), [
    'export AWS_SECRET_ACCESS_KEY="',
    '"',
  ]),
  'aws, secret key in JSON': inside('AWS secret key', some(40), ['{"SecretAccessKey": "', '"}']),
  ...Object.fromEntries(
    [
      ['a table', '|  SecretAccessKey |  ', '  |'],
      ['a question of the command line', 'AWS Secret Access Key [None]: ', '\n'],
      ['a question that shows its old end', 'AWS Secret Access Key [****************abcd]: ', '\n'],
      ['words', 'Secret Access Key: ', '\n'],
      ['a short name', 'aws_secret_key = ', '\n'],
      ['a shorter name', 'secret_key = "', '"'],
      ['a name of the environment', 'export SECRET_KEY=', '\n'],
      ['a column far away', `AWS_SECRET_ACCESS_KEY${' '.repeat(30)}= `, '\n'],
      ['a column behind blanks', `SecretAccessKey${' '.repeat(30)}`, '\n'],
    ].map(([name, before = '', after = '']) => [
      `aws, secret key in ${name}`,
      inside('AWS secret key', some(40), [before, after]),
    ]),
  ),
  'aws, secret key with escaped slashes': inside('AWS secret key', `${some(20)}\\/${some(19)}`, [
    '{"SecretAccessKey":"',
    '"}',
  ]),
  'aws, both keys in a row of the console': inside(
    'AWS access key',
    `AKIA${UPPER.slice(0, 16)},${some(40)}`,
    ['Access key ID,Secret access key\n', '\n'],
  ),
  'slack, webhook': inside('Slack webhook', `T01ABCDEF/B02ABCDEF/${some(24)}`, [
    'curl https://hooks.slack.com/services/',
    ' -d x',
  ]),
  'hugging face': plain('Hugging Face token', `hf_${some(34)}`),
  'bearer behind blanks': inside('bearer token', some(40), ['authorization: bearer      ', '\n']),
  'aws, session token': inside('AWS session token', `${some(200)}==`, ['aws_session_token=', '\n']),
  google: plain('Google API key', `AIza${some(35)}`),
  azure: inside('Azure key', `${some(86)}==`, [
    'AccountName=me;AccountKey=',
    ';EndpointSuffix=core.windows.net',
  ]),
  stripe: plain('Stripe key', `sk_${'live'}_${some(24)}`),
  'stripe, restricted': plain('Stripe key', `rk_${'live'}_${some(24)}`),
  npm: inside('npm token', `npm_${some(36)}`, ['//registry.npmjs.org/:_authToken=', '\n']),
  pypi: plain('PyPI token', `pypi-${'AgEIcHlwaS5vcmc'}${some(100)}_${some(50)}`),
  sendgrid: plain('SendGrid key', `SG.${some(22)}.${some(43)}`),
  twilio: plain('Twilio key', `SK${hex(32)}`),
  jwt: plain('JSON web token', jwt),
  bearer: inside('bearer token', some(40), ['Authorization: Bearer ', '\r\n']),
  'bearer, in code': inside('bearer token', 'abcdef-123456', [`{ 'Authorization': 'Bearer `, `' }`]),
  'bearer, of curl': inside('bearer token', jwt, ['curl -H "authorization: bearer ', '" https://host']),
  'bearer, in a log': inside('bearer token', `${some(30)}.${some(20)}`, ['sent Bearer ', ' to the server']),
  basic: inside('password', Buffer.from('Aladdin:open sesame').toString('base64'), [
    '> Authorization: Basic ',
    '\r\n',
  ]),
  'password in a URL': inside('password', 'hunter2!', ['postgres://me:', '@db.example.com:5432/x']),
  'password in a URL without a name': inside('password', 's3cr3t%40x', ['redis://:', '@localhost:6379']),
};
