import { expect, test } from '@jest/globals';
import { createReportRedactor } from '../../../src/conformance/report/evidence.ts';
import { SECRET_MARKER } from '../../../src/core/index.ts';

const SECRET = 'hunter2/ é"+?>';
const { text, bytes, headers } = createReportRedactor({ secrets: { KEY: SECRET } });
const base64 = (value: string) => Buffer.from(value).toString('base64');

test.each([
  ['plain', SECRET],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON of ASCII alone', String.raw`hunter2/ \u00e9\"+?>`],
  ['in JSON of ASCII alone, in capitals', String.raw`hunter2/ \u00E9\"+?>`],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)],
  ['in JSON of ASCII in JSON', String.raw`hunter2/ \\u00e9\\\"+?>`],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in HTML', 'hunter2/ é&quot;+?&gt;'],
  ['in base64', base64(SECRET)],
  ['in base64 behind one byte', base64(`a${SECRET}b`)],
  ['in base64 behind two bytes', base64(`ab${SECRET}c`)],
  ['in base64 for URLs', Buffer.from(`a${SECRET}`).toString('base64url')],
  ['in base64 of a JSON object', base64(JSON.stringify({ KEY: { value: SECRET } }))],
])('masks a secret %s', (_, written) => {
  expect(text(`before ${written} after`)).toBe(`before ${SECRET_MARKER} after`);
  expect(Buffer.from(bytes(Buffer.from(`before ${written} after`)).bytes).toString()).toBe(
    `before ${SECRET_MARKER} after`,
  );
});

test('masks every occurrence, and nothing else', () => {
  expect(text(`${SECRET}${SECRET} hunter1 ${SECRET}`)).toBe(`${SECRET_MARKER} hunter1 ${SECRET_MARKER}`);
  expect(createReportRedactor({}).text(SECRET)).toBe(SECRET);
});

test('masks the start of a truncated secret', () => {
  expect(text('the body was {"key":"hunter2/...')).toBe(`the body was {"key":"${SECRET_MARKER}...`);
  expect(text('hun... hunter…')).toBe(`hun... ${SECRET_MARKER}…`);
});

test('masks two secrets, one of which contains the other', () => {
  const both = createReportRedactor({ secrets: { A: 'abcdef', B: 'xxabcdefyy' } });

  expect(both.text('1 xxabcdefyy 2 abcdef 3')).toBe(`1 ${SECRET_MARKER} 2 ${SECRET_MARKER} 3`);
});

test('converts offsets to masked bytes', () => {
  const whole = Buffer.from(`ab${SECRET}cd`);

  const { moved } = bytes(whole);

  const end = 2 + Buffer.byteLength(SECRET);
  expect([0, 2, 3, end, whole.length].map(moved)).toEqual([0, 2, 10, 10, 12]);
});

test("masks the values of the user's headers everywhere", () => {
  const redactor = createReportRedactor({
    headers: [
      ['Authorization', 'Bearer abc.def-ghi'],
      ['X-Deployment', 'countdown'],
    ],
  });

  const sent = redactor.headers([
    ['authorization', 'Bearer abc.def-ghi'],
    ['X-Deployment', 'countdown'],
    ['X-Echo', 'abc.def-ghi'],
  ]);

  expect(sent).toEqual([
    ['authorization', SECRET_MARKER],
    ['X-Deployment', SECRET_MARKER],
    ['X-Echo', SECRET_MARKER],
  ]);
  expect(redactor.text('token abc.def-ghi for countdown')).toBe(`token ${SECRET_MARKER} for countdown`);
});

test('masks the complete header of secrets', () => {
  expect(headers([['X-Secrets', 'e30=']])).toEqual([['X-Secrets', SECRET_MARKER]]);
  expect(createReportRedactor({}).headers([['X-Secrets', 'e30=']])).toEqual([['X-Secrets', 'e30=']]);
});

test('masks a long text in linear time', () => {
  const long = 'hunter2/ '.repeat(500_000);

  expect(text(long)).toBe(long);
});
