import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/core/text/redact.ts';
import { SECRETS } from '../../support/secrets.ts';

const named = Object.entries(SECRETS);
const LETTERS = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcDeFgHiJkLmNoPqRsTuVwXyZ';

describe('Z1: a secret of a known shape is replaced, and what is around it stays', () => {
  it.each(named)('%s', (_, { text, secret, what }) => {
    expect(text).toContain(secret);
    expect(redactText(text)).toBe(text.replace(secret, () => `[redacted: ${what}]`));
  });

  const token = `ghp_${LETTERS.slice(0, 36)}`;
  it.each([
    ['at the beginning and the end', '', ''],
    ['in quotes', '"', '"'],
    ['in an assignment', 'TOKEN=', ';'],
    ['behind an escaped line end', 'log:\\n', '\\n'],
    ['in colour', '\u001b[32m', '\u001b[0m'],
    ['in a URL', 'https://host/?token=', '&x=1'],
    ['encoded in a URL', 'token%3D', '%26'],
    ['in quotes that JSON escapes', '\\u0022', '\\u0022'],
    ['in quotes of an escaped string', '\\x22', '\\x22'],
    ['in mail', 'token=3D', '='],
    ['behind an underscore', 'x_', ''],
    ['in a removed line of a diff', 'a\n-', '\nb'],
    ['in an added line of a diff', 'a\n+', '\nb'],
    ['beside letters of another script', '密钥', '。'],
  ])('%s', (_, before, after) => {
    expect(redactText(`${before}${token}${after}`)).toBe(`${before}[redacted: GitHub token]${after}`);
  });

  it('each of many in one text, also where they touch', () => {
    const all = named.map(([, { text }]) => text).join('\n');
    const redacted = redactText(all);
    for (const [, { secret }] of named) expect(redacted).not.toContain(secret);
    expect(redactText(`${token},${token}`)).toBe('[redacted: GitHub token],[redacted: GitHub token]');
  });

  it.each([
    ['many colours', '\u001b[38;2;1;2;3m'.repeat(20)],
    ['more colours', '\u001b[38;2;1;2;3m\u001b[1m\b\u001b[K'.repeat(150)],
    ['a device control string', '\u001bP1q\u001b\\'],
    ['other strings for the device', '\u001b_a b\u001b\\\u001b^c\u001b\\\u001bXd\u001b\\'],
  ])('%s in its middle', (_, unseen) => {
    const torn = `a ${token.slice(0, 20)}${unseen}${token.slice(20)} b`;
    expect(redactText(torn)).toBe('a [redacted: GitHub token] b');
  });

  it('once is enough', () => {
    for (const [, { text }] of named) expect(redactText(redactText(text))).toBe(redactText(text));
  });
});

const lines = Array.from({ length: 4 }, (_, index) => LETTERS.slice(index).padEnd(64, 'Qx7'));
const BEGIN = '-----BEGIN RSA PRIVATE KEY-----';
const END = '-----END RSA PRIVATE KEY-----';
const KEY = '[redacted: private key]';

describe('Z1: a private key', () => {
  const around = (key: string) => redactText(`before\n${key}\nafter\n`);

  it.each([
    ['whole', [BEGIN, ...lines, END].join('\n')],
    ['with a short last line', [BEGIN, ...lines, 'Qg==', END].join('\n')],
    ['with Windows line ends', [BEGIN, ...lines, END].join('\r\n')],
    [
      'encrypted',
      [BEGIN, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,AB', '', ...lines, END].join('\n'),
    ],
    ['on one line', [BEGIN, ...lines, END].join(' ')],
    ['with nothing but a few signs, as tests have it', `${BEGIN}\nc2VjcmV0\n${END}`],
    [
      'of PGP',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n${lines[0]}\n-----END PGP PRIVATE KEY BLOCK-----`,
    ],
    ['without a kind', `-----BEGIN PRIVATE KEY-----\n${lines[0]}\n-----END PRIVATE KEY-----`],
    [
      'as `cat -n` shows it',
      [BEGIN, ...lines, 'Qg==']
        .map((line, n) => `     ${n}\t${line}`)
        .join('\n')
        .trim() + `\n     6\t${END}`,
    ],
    ['that was cut off behind a line', [BEGIN, ...lines].join('\n')],
    ['that was cut off in a line', [BEGIN, ...lines].join('\n').slice(0, -30)],
    ['of which the beginning is missing', [...lines, END].join('\n')],
    ['of which nearly all is missing', [lines[0], 'Qg==', END].join('\n')],
  ])('%s', (_, key) => {
    expect(around(key)).toBe(
      `before\n${key.slice(0, key.search(/-----|aB3|B3d/)).replace(/\n.*/s, '')}${KEY}\nafter\n`,
    );
  });

  it('in a string of JSON', () => {
    const json = JSON.stringify({ private_key: [BEGIN, ...lines, END, ''].join('\n'), id: 1 });
    expect(redactText(json)).toBe(`{"private_key":"${KEY}\\n","id":1}`);
  });

  it('in code that joins its lines', () => {
    const code = `const key =\n  "${BEGIN}\\n" +\n${lines.map((line) => `  "${line}\\n" +\n`).join('')}  "${END}";\n`;
    expect(redactText(code)).toBe(`const key =\n  "${KEY}";\n`);
  });

  it('removed in a diff', () => {
    const diff = [BEGIN, ...lines, END].map((line) => `-${line}`).join('\n');
    expect(redactText(diff)).toBe(`-${KEY}`);
  });

  it.each(named)('glued to the end of a secret: %s', (_, { secret, what, text }) => {
    const [before = ''] = text.split(secret);
    for (const marker of [BEGIN, END, '-----BEGIN CERTIFICATE-----'])
      if (!/password|private/.test(what))
        expect(redactText(before + secret + marker)).toBe(`${before}[redacted: ${what}]${marker}`);
    if (/password|private/.test(what)) return;
    const key = [BEGIN, ...lines].join('\n');
    expect(redactText(`${before}${secret}${key}`)).toBe(`${before}[redacted: ${what}]${KEY}`);
  });

  const whole = [BEGIN, ...lines, 'Qg==', END];

  it.each([' ', '  ', '\t', ', ', '|', '&#10;', '&#xA;', '%0A', '\\u000a', '\\n', '\\\\n', '', ' // '])(
    'whose lines are joined to one by "%s", however short its last one is',
    (joiner) => {
      for (const last of ['Q', 'Qg==', 'Qg'.repeat(7), 'Qg'.repeat(8), 'Qg'.repeat(20)])
        expect(around(`KEY=${[BEGIN, ...lines, last, END].join(joiner)}`)).toBe(
          `before\nKEY=${KEY}\nafter\n`,
        );
    },
  );

  it.each([' ', '\t', '|', '&#10;', '%0A', '\\u000a'])(
    'whose lines are joined by "%s" and that was cut off, wherever it was',
    (joiner) => {
      const text = whole.join(joiner);
      for (let cut = text.indexOf('aB3') + 50; cut < text.indexOf('Qg=='); cut += 1)
        expect(redactText(text.slice(0, cut))).not.toMatch(/[A-Za-z0-9]{30}|jK9/);
    },
  );

  it.each([
    ['a box', '│ ', ' │'],
    ['a table', '| ', ' |'],
    ['a comment', '', ' // x'],
    ['what a log puts before and behind it', '12:00:01 INFO [app] ', ' (app.ts:12)'],
  ])('each line of which is in %s', (_, before, after) => {
    const text = whole.map((line) => `${before}${line}${after}`).join('\n');
    expect(redactText(text)).toBe(`${before}${KEY}${after}`);
  });

  it('in JSON of PHP, which escapes the slash', () => {
    const text = [BEGIN, `${LETTERS}ab\\/cd`, `${LETTERS}ef\\/gh`, END].join('\\n');
    expect(redactText(`{"key":"${text}"}`)).toBe(`{"key":"${KEY}"}`);
  });

  it('of PuTTY', () => {
    const head = [
      'PuTTY-User-Key-File-3: ssh-rsa',
      'Encryption: none',
      'Comment: me@host',
      'Public-Lines: 4',
    ];
    const key = [...head, ...lines, 'Private-Lines: 4', ...lines];
    expect(around([...key, 'Private-MAC: 0a1b'].join('\n'))).toBe(`before\n${KEY} 0a1b\nafter\n`);
    expect(around(key.join('\n'))).toBe(`before\n${KEY}\nafter\n`);
  });

  it.each(['SSH2 ENCRYPTED', 'SSH2'])('of %s', (kind) => {
    const head = [`---- BEGIN ${kind} PRIVATE KEY ----`, 'Comment: "me"'];
    const end = `---- END ${kind} PRIVATE KEY ----`;
    expect(around([...head, ...lines, 'Qg==', end].join('\n'))).toBe(`before\n${KEY}\nafter\n`);
    expect(around([...lines, 'Qg==', end].join('\n'))).toBe(`before\n${KEY}\nafter\n`);
  });

  it('in base64, on one line or on many; a certificate in base64 stays', () => {
    for (const begin of [BEGIN, '-----BEGIN PRIVATE KEY-----', '-----BEGIN OPENSSH PRIVATE KEY-----']) {
      const encoded = Buffer.from([begin, ...lines, END, ''].join('\n')).toString('base64');
      expect(redactText(`{"client-key-data":"${encoded}","x":1}`)).toBe(`{"client-key-data":"${KEY}","x":1}`);
      expect(redactText(`  key: ${encoded}\nusers:\n`)).toBe(`  key: ${KEY}\nusers:\n`);
      const wrapped = encoded.replaceAll(/.{76}/g, '$&\n');
      expect(redactText(wrapped).replace(KEY, '').length).toBeLessThan(42);
    }
    const certificate = Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}`).toString('base64');
    expect(redactText(certificate)).toBe(certificate);
  });

  it('two of them, and what is between', () => {
    const key = [BEGIN, ...lines, END].join('\n');
    expect(redactText(`${key}\nbetween\n${key}\n`)).toBe(`${KEY}\nbetween\n${KEY}\n`);
  });
});

describe('what only looks like a secret stays', () => {
  const hex = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const base64 = Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * n * 31 + n * 7) & 255)).toString(
    'base64',
  );
  it.each([
    ['hashes', `${hex}  file\ncommit ${hex.slice(0, 40)}\nsha512-${base64.slice(0, 86)}==`],
    ['uuids', '123e4567-e89b-12d3-a456-426614174000'],
    ['an image', `data:image/png;base64,${base64}`],
    ['an image in lines', base64.replaceAll(/.{76}/g, '$&\n')],
    [
      'names beside hashes and paths',
      `secret_key = ${hex.slice(0, 40)}\nsecret_key: ${hex}\n| secret key | ${hex.slice(0, 40)} |\nSecret access key: see the documentation of the store\nAKIA_ID,${hex.slice(0, 40)}\nsecret key of the kingdom in the bearer   of it`,
    ],
    [
      'addresses without a webhook',
      'https://hooks.slack.com/services/ https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    ],
    [
      'words with hf_ in them',
      'hf_hub_download hf_transformers_pretrained_model shelf_life hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
    [
      'words with sk- in them',
      'task-1234567890abcdefghij12345 risk-free disk-usage-of-the-machine-1234567890',
    ],
    [
      'classes of a style sheet',
      '.sk-fading-circle .sk-circle-1 { } #sk-container-id-1 div.sk-estimator:hover',
    ],
    [
      'placeholders',
      'sk-ant-... sk-ant-api03-your-key-goes-here sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx AKIAXXXXXXXXXXXXXXXX xoxb-your-token-goes-here',
    ],
    [
      'variables',
      'ANTHROPIC_API_KEY=${TOKEN}\naws_secret_access_key = ${AWS_SECRET}\nAuthorization: Bearer ${TOKEN}\nAuthorization: Bearer $TOKEN\nAuthorization: Bearer <token>\nAuthorization: Bearer {{ token }}',
    ],
    [
      'code that names them',
      'const awsSecretAccessKey = process.env.AWS_SECRET_ACCESS_KEY ?? readSecretAccessKeyFromTheStore();\nheaders.Authorization = `Bearer ${await accessToken()}`;\nheaders: { Authorization: "Basic " + encode(user, password) }',
    ],
    [
      'prose',
      'a bearer of bad news; Bearer authentication is described there; Basic information, basic authentication; Authorization: Basic authentication; Authorization: Bearer authentication',
    ],
    [
      'public keys',
      `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\nssh-rsa AAAAB3Nza${base64.slice(0, 360)} me@host`,
    ],
    [
      'markers in code',
      `const BEGIN = '${BEGIN}';\nconst END = '${END}';\nif (text.startsWith('${BEGIN}')) return key.slice(0, 10);\n`,
    ],
    [
      'what is told about markers',
      `A file begins with ${BEGIN} and ends with ${END}, see /usr/share/doc/a-long-path/to/some/openssl/documentation.\necho "${BEGIN}" $(cat /home/me/projects/things/keys/the-one-that-is-used) "${END}"`,
    ],
    [
      'code that writes a key',
      `return '${BEGIN}\\n' + chunkIntoLines(encodeBase64PrivateKeyBytes(privateKeyBytes), 64) + '\\n${END}';`,
    ],
    [
      'URLs without a password',
      'http://localhost:3000/a@b https://user@host/x git@github.com:me/it.git ssh://git@host:22/x https://example.com/a:b@c http://[::1]:8080/ jdbc:postgresql://host:5432/db?user=a@b',
    ],
    [
      'URLs with a placeholder',
      'https://${user}:${pass}@host https://user:pass@host postgres://USER:PASSWORD@host https://<user>:<pass>@host redis://:$REDIS_PASS@host https://u:%s@h https://u:****@h',
    ],
    [
      'names of packages and settings',
      'npm_config_registry npm_lifecycle_event npm_package_name_of_something_very_long_indeed pypi-publish-action-with-a-rather-long-name-indeed-12345678901234567890',
    ],
    ['a token of two parts', `eyJ${base64.slice(0, 20)}.eyJ${base64.slice(0, 30)}`],
    [
      'names that go on',
      `SKU1234567890 SG.short.x AIzaShort ASIAN AKIA_REGION xSK${hex.slice(0, 32)} SK${hex}`,
    ],
    [
      'a keystone of nothing',
      'AccountKey=; SharedAccessKey=<key>; AccountKey={0};EndpointSuffix=core.windows.net',
    ],
  ])('%s', (_, text) => {
    expect(redactText(text)).toBe(text);
  });
});
