import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { curlLine } from '../../../src/conformance/report/evidence.ts';
import { testUnless } from '../../support/optional.ts';

const testInBash = testUnless(
  spawnSync('bash', ['-c', 'true']).status === 0 ? undefined : 'command lines: bash is not installed',
);

type Parts = Partial<Parameters<typeof curlLine>[0]>;

const lineOf = (parts: Parts) =>
  curlLine({ method: 'POST', url: 'http://127.0.0.1:1/create', request_headers: [], request_body: null, ...parts });

const bodyOf = (content: string) => ({ encoding: 'utf-8' as const, content, length: content.length, is_cut: false });

/** Returns the arguments that bash passes to `curl` or `nc`. */
function wordsOf(line: string | null): string[] {
  const print = 'printf "%s\\0" "$@"';
  const script = `curl() { ${print}; }\nnc() { cat; printf '\\0'; ${print}; }\n${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('formats method, headers and body', () => {
  const line = lineOf({
    request_headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Session-ID', value: "it's" },
    ],
    request_body: bodyOf('{"a":"b c"}'),
  });

  expect(line).toBe(
    String.raw`curl -sSi -N -X POST http://127.0.0.1:1/create -H 'Content-Type: application/json' -H 'X-Session-ID: it'\''s' --data-raw '{"a":"b c"}'`,
  );
});

testInBash.each([
  '$(touch /tmp/x)`id`',
  '@/etc/passwd',
  "'; rm -rf ~; '",
  'a\nb\r\tc',
  '\x1b[2Jé\u202e\\n',
  '!!',
  '-o x',
  '{"a":"\\"}',
])('passes the body %j to curl unchanged', (content) => {
  const words = wordsOf(lineOf({ request_body: bodyOf(content) }));

  expect(words.at(-1)).toBe(content);
  expect(words.at(-2)).toBe('--data-raw');
});

testInBash.each(['a\tb', "a'b", '$HOME', '\u202e\u0085'])('passes the header %j to curl unchanged', (value) => {
  expect(wordsOf(lineOf({ request_headers: [{ name: 'X-Session-ID', value }] }))).toContain(`X-Session-ID: ${value}`);
});

test('contains no terminal control characters', () => {
  expect(lineOf({ request_body: bodyOf('\x1b]0;owned\x07\x9b\u2066') })).toMatch(/^[ -~]*$/);
});

test.each([
  ['an empty header', { request_headers: [{ name: 'X-Session-ID', value: '' }] }, "-H 'X-Session-ID;'"],
  ['a body without media type', { request_body: bodyOf('x') }, '-H Content-Type:'],
  ['braces in the path', { url: 'http://127.0.0.1:1/{a}' }, '-g'],
  ['dots in the path', { url: 'http://127.0.0.1:1/../a' }, '--path-as-is'],
  ['HEAD', { method: 'HEAD' }, '--head'],
  ['a GET with a body', { method: 'GET', request_body: bodyOf('x') }, '-X GET'],
] satisfies [string, Parts, string][])('formats %s', (_, parts, words) => {
  expect(lineOf(parts)).toContain(words);
});

test.each([
  ['is cut', { ...bodyOf('x'), is_cut: true }],
  ['is long', bodyOf('x'.repeat(10_000))],
  ['is not text', { ...bodyOf('AAE='), encoding: 'base64' as const }],
  ['has a zero byte', bodyOf('a\0b')],
])('returns null for a body that %s', (_, body) => {
  expect(lineOf({ request_body: body })).toBeNull();
});

testInBash('writes bytes that are not HTTP with printf', () => {
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nX: 'é%s\\n\r\n\r\n`);
  const body = { ...bodyOf(bytes.toString('base64')), encoding: 'base64' as const };

  const line = lineOf({ method: 'RAW', url: 'http://[::1]:81', request_body: body });

  expect(wordsOf(line)).toEqual([bytes.toString(), '::1', '81']);
});

test('includes the options that are necessary to reach the server', () => {
  const exchange = { method: 'GET', url: 'https://127.0.0.1:1/health', request_headers: [], request_body: null };

  expect(curlLine(exchange, ['--cacert', 'my ca.pem', '-k'])).toBe(
    "curl -sSi -N --cacert 'my ca.pem' -k https://127.0.0.1:1/health",
  );
});
