import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { badgeSvg, junitXml, reportHtml } from '../../../src/conformance/report/write-reports.ts';
import { exchange, reported, result } from './sample.ts';

/** Tries to break out of every element, comment, attribute and string, and to inject code. */
const EVIL = `</script><!--"'><img src=x onerror=alert(1)>]]>&amp;\u2028\u2029\0\x1b[2J\ud800\uffff{{script}}$&`;
const evil = reported([
  result('a/a', 'fail', {
    message: EVIL,
    notes: [EVIL],
    exchanges: [exchange({ answer: EVIL, responseHeaders: [['X-Evil', EVIL]], failure: EVIL })],
  }),
  result('a/b', 'not-testable', { message: EVIL }),
  result('a/c', 'warn', { level: 'should', message: EVIL }),
  result('a/d', 'harness-error', { message: EVIL }),
  result('a/e', 'pass'),
]);

test('embeds the complete results, and escapes the texts of the server', async () => {
  const page = await reportHtml(evil);

  const [, data = ''] = page.match(/<script type="application\/json" id="results">(.*?)<\/script>/s) ?? [];
  expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(evil)));
  expect(data).not.toMatch(/[<>&\u2028\u2029]/);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain('<img');
});

test('allows only its own script and style by Content-Security-Policy', async () => {
  const page = await reportHtml(evil);

  const [, policy = ''] = page.match(/Content-Security-Policy" content="([^"]*)"/) ?? [];
  const [, style = ''] = page.match(/<style>(.*?)<\/style>/s) ?? [];
  const [, script = ''] = page.match(/<script type="module">(.*?)<\/script>/s) ?? [];
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy).toContain(`default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)};`);
  expect(page).not.toMatch(/\b(src|href)="(?!data:,)|@import|url\(/);
  expect(script).not.toMatch(/^(import|export) /m);
});

test('maps each state to a JUnit element', () => {
  const xml = junitXml(evil);

  expect(xml).toContain('tests="5" failures="1" errors="1" skipped="1"');
  expect(xml).toContain('<failure type="must"');
  expect(xml).toContain('<error type="harness-error"');
  expect(xml).toContain('<skipped message="not-testable: ');
  expect(xml).toContain('<system-out>warning: ');
});

test('escapes markup of the server, and removes characters that XML does not allow', () => {
  const xml = junitXml(evil);

  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  expect(xml).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  expect(xml.isWellFormed()).toBe(true);
  expect(xml).not.toMatch(/<(img|script|!--)|&amp(?!;)|]]>/);
});

test('reports an expected failure as skipped, with its reason', () => {
  const expectations = new Map([['a/a', { reason: 'no time yet', isFlaky: false }]]);

  const xml = junitXml(reported([result('a/a', 'fail')], { expectations }));

  expect(xml).toContain('failures="0" errors="0" skipped="1"');
  expect(xml).toContain('<skipped message="fail: expected failure: no time yet"/>');
});

test.each([
  ['all pass', [result('a/a', 'pass')], '1/1', '#2e7d32'],
  ['one fails', [result('a/a', 'pass'), result('a/b', 'fail')], '1/2', '#b3261e'],
  ['none ran', [result('a/a', 'not-testable')], 'not tested', '#6b6b6b'],
  ['one could not be tested', [result('a/a', 'pass'), result('a/b', 'not-testable')], '1/1 partial', '#6b6b6b'],
  [
    'one could not that is only recommended',
    [result('a/a', 'pass'), result('a/b', 'not-testable', { level: 'should' })],
    '1/1',
    '#2e7d32',
  ],
] as const)('the badge where %s', (_, results, value, colour) => {
  const svg = badgeSvg(reported(results));

  expect(svg).toContain(`>ORS core</text>`);
  expect(svg).toContain(`>${value}</text>`);
  expect(svg).toContain(colour);
});

test('marks the badge of selected checks as partial', () => {
  const svg = badgeSvg(reported([result('a/a', 'pass')]), { isPart: true });

  expect(svg).toContain('>1/1 partial</text>');
  expect(svg).toContain('#6b6b6b');
});
