import { describe, expect, test } from '@jest/globals';
import {
  createRedactor,
  headerSecrets,
  maskableSecrets,
  SECRET_MARKER,
  tooShortWarning,
  truncate,
  urlSecrets,
} from '../../src/core/index.ts';
import fc, { runs, unicode } from '../support/fast-check.ts';

const SECRET = 'sk-"Cä\'n\\a\n/r\t💥y+=&amp%20 <x>?';

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const escaped = (text: string, hex: (digits: string) => string = (digits) => digits) =>
  inJson(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
const upper = (text: string) => text.toUpperCase();
const bytes = (text: string) => Buffer.from(text.toWellFormed());
const entities = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const lowerPercent = (text: string) => text.replace(/%[\dA-F]{2}/g, (sequence) => sequence.toLowerCase());
const inUrl = (text: string) => encodeURIComponent(text.toWellFormed());

/** Each way of writing a secret that is found. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': inJson,
  'in JSON in JSON': (secret) => inJson(inJson(secret)),
  'in JSON to a depth of 3': (secret) => inJson(inJson(inJson(secret))),
  'in JSON of ASCII alone': (secret) => escaped(secret),
  'in JSON of ASCII alone, in upper case': (secret) => escaped(secret, upper),
  'in JSON of ASCII alone in JSON of ASCII alone': (secret) => escaped(escaped(secret)),
  'in JSON of ASCII alone in JSON': (secret) => inJson(escaped(secret, upper)),
  'in JSON with an escaped slash': (secret) => inJson(secret).replaceAll('/', '\\/'),
  'in JSON that is safe in HTML': (secret) => inJson(secret).replace(/[<>&]/g, (unit) => `\\u00${hex(unit)}`),
  'in JSON with all characters escaped': (secret) =>
    secret.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'as a Python string': (secret) => inJson(secret).replace(/[\x80-\xff]/g, (unit) => `\\x${hex(unit)}`),
  'by encodeURIComponent': inUrl,
  'by encodeURIComponent, in lower case': (secret) => lowerPercent(inUrl(secret)),
  'by encodeURIComponent, twice': (secret) => inUrl(inUrl(secret)),
  'by encodeURI': (secret) => encodeURI(secret.toWellFormed()),
  'in a form': (secret) => new URLSearchParams({ k: secret }).toString().slice(2),
  'in a form, in lower case': (secret) => lowerPercent(new URLSearchParams({ k: secret }).toString().slice(2)),
  'in JSON in a URL': (secret) => inUrl(inJson(secret)),
  'in a form in JSON': (secret) => inJson(new URLSearchParams({ k: secret }).toString().slice(2)),
  'in base64': (secret) => bytes(secret).toString('base64'),
  'in base64url': (secret) => bytes(secret).toString('base64url'),
  'in base64 in a URL': (secret) => encodeURIComponent(bytes(secret).toString('base64')),
  'in base64 in JSON': (secret) => bytes(secret).toString('base64').replaceAll('/', '\\/'),
  'in base64 behind one byte': (secret) => Buffer.concat([Buffer.from('u'), bytes(secret)]).toString('base64'),
  'in base64 behind two bytes': (secret) => Buffer.concat([Buffer.from('u:'), bytes(secret)]).toString('base64'),
  'in base64 between others': (secret) => Buffer.from(`user:${secret.toWellFormed()}@host`).toString('base64'),
  'in base64url between others': (secret) => Buffer.from(`user:${secret.toWellFormed()}!!`).toString('base64url'),
  'in base64 of JSON': (secret) => Buffer.from(JSON.stringify({ k: { value: secret } })).toString('base64'),
  'in base64 of JSON of ASCII alone': (secret) => Buffer.from(`"${escaped(secret)}"`).toString('base64'),
  'in hexadecimal digits': (secret) => bytes(secret).toString('hex'),
  'in hexadecimal digits, in upper case': (secret) => bytes(secret).toString('hex').toUpperCase(),
  'in HTML': entities,
  'in HTML, all characters escaped': (secret) =>
    Array.from(secret.toWellFormed(), (character) => `&#${character.codePointAt(0)};`).join(''),
  'in HTML, in hexadecimal digits': (secret) =>
    secret.toWellFormed().replace(/[^\w]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  'in HTML of JSON': (secret) => entities(inJson(secret)),
  'in JSON of HTML': (secret) => inJson(entities(secret)),
};

const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(2, '0');

test.each(Object.entries(FORMS))('masks a secret %s', (_, write) => {
  const { text } = createRedactor({ key: SECRET });

  expect(text(`before ${write(SECRET)}\nafter`)).toBe(`before ${SECRET_MARKER}\nafter`);
  expect(text(`${write(SECRET)} ${write(SECRET)}`)).toBe(`${SECRET_MARKER} ${SECRET_MARKER}`);
});

test('leaves no form of any secret in a text', () => {
  const character = fc.oneof(unicode({ minLength: 1, maxLength: 1 }), fc.constantFrom(...' +/\\"%&<\'\n-_=.'));
  // The letters of the marker are left out: a secret of them may be a part of the marker.
  const secret = fc
    .array(character, { minLength: 6, maxLength: 40 })
    .map((characters) => characters.join('').replace(/[[\]secrt]/g, 'x'));
  const form = fc.constantFrom(...Object.values(FORMS));
  const around = unicode({ maxLength: 20 });

  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      form,
      around,
      around,
      (secrets, write, before, after) => {
        const [first = ''] = secrets;
        const written = write(first);
        const { text } = createRedactor(secrets);

        const shown = text(before + written + after);

        for (const each of Object.values(FORMS)) expect(shown).not.toContain(each(first));
        expect(text(shown)).toBe(shown);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('leaves texts without secrets as they are', () => {
  const { text } = createRedactor({ key: SECRET });

  fc.assert(
    fc.property(unicode({ maxLength: 200 }), (plain) => {
      expect(text(plain)).toBe(plain);
    }),
  );
});

test('does not mask values of fewer than 6 characters, and names them', () => {
  const { text, tooShort } = createRedactor({ pin: '12345', empty: '', six: '123456' });

  expect(tooShort).toEqual(['pin', 'empty']);
  expect(text('12345 123456')).toBe(`12345 ${SECRET_MARKER}`);
  expect(createRedactor({ pin: '12345' }).replacer).toBeUndefined();
});

test.each([
  ['one within the other', ['abcdef', 'xxabcdefyy'], '1 xxabcdefyy 2 abcdef 3', '1 [secret] 2 [secret] 3'],
  ['one the beginning of the other', ['sk-123', 'sk-123456'], 'sk-123456 sk-123', '[secret] [secret]'],
  ['that overlap', ['abcdefgh', 'efghijkl'], '<abcdefghijkl>', '<[secret]>'],
  ['that touch', ['abcdef', 'ghijkl'], '<abcdefghijkl>', '<[secret]>'],
  ['with what regular expressions mean', ['.*.*.*$&'], 'a.*.*.*$&b', 'a[secret]b'],
])('masks secrets %s', (_, secrets, plain, shown) => {
  expect(createRedactor(secrets).text(plain)).toBe(shown);
});

test.each(['secret', '[secret', '[secret]'])("leaves its own marker alone if a secret is '%s'", (secret) => {
  const { text } = createRedactor([secret, 'another one']);

  expect(text(`my ${secret}, another one`)).toMatch(/, \[secret\]$/);
  expect(text(text(`my ${secret}, another one`))).toBe(text(`my ${secret}, another one`));
});

test.each([
  ['a lone surrogate', 'sk-123\ud83d'],
  ['the other one', '\udca5sk-123'],
])('masks a secret with %s', (_, secret) => {
  const { text } = createRedactor([secret]);

  for (const plain of [secret, JSON.stringify(secret), `${secret}\udca5`, `\ud83d${secret}`, inUrl(secret)]) {
    expect(text(plain)).toContain(SECRET_MARKER);
    expect(text(plain)).not.toContain('sk-123');
  }
});

test('masks strings, keys and numbers of JSON, and keeps their structure', () => {
  const { replacer } = createRedactor({ a: 'abcdef', n: '123456' });
  const value = { abcdef: 1, xabcdef: [9_123_456, 1, null, { '[secret]': 'abcdef!' }], 'abcdef ': true };

  expect(JSON.parse(JSON.stringify({ ...value, '[secret]': 2 }, replacer))).toEqual({
    '[secret]': 2,
    '[secret] 2': 1,
    'x[secret]': ['[secret]', 1, null, { '[secret]': '[secret]!' }],
    '[secret] ': true,
  });
});

describe('a secret that was cut', () => {
  const redactor = createRedactor(['sk-1234567890', 'sk-12345...7890', 'sk-other-one']);

  test('is masked before an ellipsis in texts and JSON', () => {
    const plain = 'the body was "sk-123456...", then sk-1234… and sk-12...';

    expect(redactor.text(plain)).toBe('the body was "[secret]...", then [secret]… and sk-12...');
    expect(JSON.stringify({ plain: 'sk-123456…' }, redactor.replacer)).toBe('{"plain":"[secret]…"}');
    expect(redactor.text(encodeURIComponent('a sk-123456… b'))).toBe('a%20[secret]%E2%80%A6%20b');
  });

  test('is masked as a whole if it contains an ellipsis itself', () => {
    expect(redactor.text('sk-12345...7890')).toBe(SECRET_MARKER);
  });

  test('is not found by find, which is for whole texts', () => {
    expect(redactor.find('sk-123456... sk-1234567890')).toEqual([[13, 26]]);
  });

  test('is masked in whatever truncate has cut', () => {
    const secret = 'hunter2secret';
    const { text } = createRedactor([secret]);

    for (let max = 10; max < 40; max++) expect(text(truncate(`password: ${secret} end`, max))).not.toContain('hunter');
  });
});

test('does not take other letters for hexadecimal digits', () => {
  const { text } = createRedactor(['šštop secret']);

  expect(text('100%šštop%20secret')).toBe(`100%${SECRET_MARKER}`);
});

test('maskableSecrets returns the secrets that are masked, the others have a warning', () => {
  expect(maskableSecrets({ PIN: '12345', KEY: 'hunter2' })).toEqual({ KEY: 'hunter2' });
  expect(tooShortWarning('PIN')).toBe("secret 'PIN' has fewer than 6 characters, so it is not masked");
});

test.each([
  ['X-Access', 'abc123456', ['abc123456']],
  ['Authorization', 'Bearer abcdef', ['Bearer abcdef', 'abcdef']],
  ['Cookie', 'sid=abcdef123; t=dark', ['sid=abcdef123; t=dark', 'sid=abcdef123', 'abcdef123', 't=dark']],
  ['X-Short', 'abc', ['abc']],
  ['Accept-Language', 'en-GB-oxendict', []],
  ['Content-Type', 'application/json', []],
])('headerSecrets finds the secrets in the header %s', (name, value, secrets) => {
  expect(headerSecrets(name, value)).toEqual(secrets);
});

test.each([
  ['postgres://user:p%40ss@h/db?sslmode=require&password=other', ['p@ss', 'other']],
  ['postgres://u:%zz@h/db', ['%zz']],
  ['http://h/path', []],
  ['./traces.db', []],
])('urlSecrets finds the secrets in %s', (url, secrets) => {
  expect(urlSecrets(url, ['sslmode'])).toEqual(secrets);
});

test('is linear in long texts, long secrets and many secrets', () => {
  const long = (seed: string) =>
    Array.from({ length: 100_000 }, (_, at) => seed.charCodeAt(at % 7) + at)
      .join('')
      .slice(0, 100_000);
  const secrets = [
    ...Array.from({ length: 300 }, (_, at) => `sk-ant-${'y'.repeat(40)}-${at}-end`),
    ...Array.from({ length: 3 }, (_, at) => `${'a'.repeat(200 + at)}b`),
    `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`,
    ...['abcdefg', 'hijklmn'].map(long),
  ];
  const { text } = createRedactor(secrets);

  // Quadratic work would take minutes, and exceed the timeout of Jest.
  expect(text(`sk-ant-${'y'.repeat(39)} \\u00e9%20&amp;`.repeat(30_000))).not.toContain(SECRET_MARKER);
  expect(text('\\'.repeat(1_000_000))).toHaveLength(1_000_000);
  expect(text(`${secrets.join(' ')} end`).replaceAll(`${SECRET_MARKER} `, '')).toBe('end');
});

test('masks the rest of a text if its similarity to the secrets would make the search superlinear', () => {
  const secrets = Array.from({ length: 200 }, (_, at) => `${'a'.repeat(2_000 + at)}b`);

  const shown = createRedactor(secrets).text(`start ${'a'.repeat(2_000_000)} ${secrets[0]}`);

  expect(shown).toMatch(/^start a*\[secret\]$/);
});
