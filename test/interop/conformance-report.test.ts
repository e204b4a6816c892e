import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { writeReports } from '../../src/conformance/index.ts';
import { badgeSvg, junitXml } from '../../src/conformance/report/write-reports.ts';
import { exchange, reported, result } from '../conformance/report/sample.ts';
import { openPage, type Page } from './chromium.ts';
import { describeInBrowser } from './in-browser.ts';

/** Tries to close every surrounding element, attribute and string, and to run as a script. */
const EVIL = `</script><!--"'><img src=http://127.0.0.1:1/x onerror=alert(1)>]]>&amp;\u2028\0\x1b[2J\u202e\ud800{{script}}$&`;

const stream = exchange({
  number: 2,
  method: 'POST',
  url: 'http://127.0.0.1:1/lab/call',
  requestBody: Buffer.from('{"name":"say"}'),
  responseHeaders: [
    ['Content-Type', 'text/event-stream'],
    ['X-Evil', EVIL],
  ],
  chunks: [
    { at: 11, bytes: Buffer.from('event: task_id\ndata: 1\n\n: \xe2\x98', 'latin1') },
    { at: 1_510, bytes: Buffer.from(`\x83\nevent: end\ndata: ${EVIL}\n\n`, 'latin1') },
  ],
  endedAt: 1_512,
});

const results = reported([
  result('session/wrong', 'fail', {
    message: `the server said ${EVIL}`,
    notes: [EVIL],
    exchanges: [exchange(), stream],
  }),
  ...Array.from({ length: 20 }, (_, index) => result(`session/fine-${index}`, 'pass')),
  result('call/late', 'warn', { level: 'should' }),
  result('call/untested', 'not-testable'),
  result('call/raw', 'fail', {
    exchanges: [exchange({ method: 'RAW', chunks: [{ at: 1, bytes: Buffer.from([255, 0]) }] })],
  }),
]);

describeInBrowser('the report on conformance')('the page of a report', () => {
  let folder: string;
  let url: string;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ors-report-'));
    await writeReports(folder, results);
    url = pathToFileURL(join(folder, 'report.html')).href;
    page = await openPage(url);
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    expect(page.console).toEqual([]);
    expect([...page.hosts]).toEqual([]);
  });

  const shown = () =>
    page.evaluate<string[]>('[...document.querySelectorAll(".check .id")].map((it) => it.textContent)');
  const text = (selector: string) =>
    page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);
  const go = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const hash = () => page.evaluate<string>('decodeURIComponent(location.hash)');

  test('shows the headline, and every check that is not a plain pass', async () => {
    expect(await text('h1')).toBe(results.summary.headline);
    expect(await shown()).toEqual(['session/wrong', 'call/late', 'call/untested', 'call/raw']);
    expect(await text('.fold')).toBe('20 checks pass');
    expect(await text('#shown')).toBe('24 of 24 checks');
  });

  test('opens a check with its requirement, its message, and its exchanges as they came', async () => {
    await page.evaluate('document.querySelector(".check summary").click()');
    await page.until('document.querySelector(".check .pieces")');

    const inside = await text('.check .inside');
    expect(inside).toContain('ORS-DISC-001, MUST: GET /health returns 200');
    expect(inside).toContain('ors-http-api, GET /health');
    expect(inside).toContain(`the server said </script><!--"'><img src=http://127.0.0.1:1/x onerror=alert(1)>]]>&amp;`);
    expect(inside).toContain(`curl -sSi -N -X POST http://127.0.0.1:1/lab/call`);
    expect(await page.evaluate('[...document.querySelectorAll(".time")].map((it) => it.innerText)')).toEqual([
      '+1 ms',
      '+1.50 s',
    ]);
    expect(await text('.pieces')).toContain('☃');
    expect(await page.evaluate('[...document.querySelectorAll(".pieces .escape")].map((it) => it.innerText)')).toEqual(
      expect.arrayContaining(['NUL', 'ESC']),
    );
    expect(await hash()).toBe('#check=session/wrong');
    expect(await page.evaluate('document.querySelectorAll("img, main script").length')).toBe(0);
  });

  test('copies a curl line, or selects it where the browser does not let it', async () => {
    await page.evaluate('document.querySelector(".copied button").click()');

    await page.until('["copied", "selected"].includes(document.querySelector(".copied button").innerText)');
  });

  test('filters by state, level, group and text, and keeps the filter in its address', async () => {
    await go('');
    await page.until('document.querySelectorAll("#states [aria-pressed=true]").length === 0');
    await page.evaluate('document.querySelector(\'#states [data-state="fail"]\').click()');
    expect([await shown(), await hash()]).toEqual([['session/wrong', 'call/raw'], '#state=fail']);

    const choose = (name: string, value: string) =>
      page.evaluate(
        `{ const field = document.querySelector('[name=${name}]'); field.value = '${value}'; field.dispatchEvent(new Event('input', { bubbles: true })); }`,
      );
    await choose('group', 'call');
    expect([await shown(), await hash()]).toEqual([['call/raw'], '#state=fail&group=call']);

    await go('#text=fine-1&level=must');
    await page.until('document.querySelectorAll(".check").length === 11');
    expect(await page.evaluate('document.querySelector("[name=text]").value')).toBe('fine-1');

    await choose('text', 'no such check');
    expect([await shown(), await text('main')]).toEqual([[], 'No check matches the filter.']);
  });

  test('opens at the check that its address names, also if it is folded away', async () => {
    await using other = await openPage(`${url}#check=session/fine-7`);

    await other.until('document.querySelector("[id=\'check:session/fine-7\']").open');
    expect(other.console).toEqual([]);
  });

  test('can be used without a mouse', async () => {
    const reached = await page.evaluate<number>(
      '[...document.querySelectorAll("summary, button, select, input")].filter((it) => { it.focus(); return document.activeElement === it; }).length',
    );

    expect(reached).toBe(await page.evaluate('document.querySelectorAll("summary, button, select, input").length'));
  });

  test('is written with a well-formed badge and JUnit file', async () => {
    await using empty = await openPage('about:blank');
    const problemOf = (xml: string) =>
      empty.evaluate(
        `new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml').querySelector('parsererror')?.textContent ?? ''`,
      );

    expect(await problemOf(junitXml(results))).toBe('');
    expect(await problemOf(badgeSvg(results))).toBe('');
    expect(await problemOf('<a>')).not.toBe('');
  });
});
