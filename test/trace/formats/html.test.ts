import { expect, test } from '@jest/globals';
import type { Score, Trace } from '../../../generated/trace.ts';
import { type TraceSource, writeTraces } from '../../../src/trace/formats/index.ts';
import { message, result } from '../model/store.ts';
import { rowsOf, sourceOf, trace } from './sources.ts';
import { PNG_URL, weather } from './weather.ts';

/** Writes a page with the traces of sources. */
async function page(...sources: readonly TraceSource[]): Promise<string> {
  const byTrace = new Map<Trace, TraceSource>(sources.map((source) => [source.trace, source]));
  const chunks = await writeTraces('html', byTrace.keys(), {
    textOf: (each, format) => format.write(byTrace.get(each) ?? weather()),
    scoresOf: async () => [],
  });
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** Returns the visible text of a page, with its elements separated by spaces. */
const textIn = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const SCORE: Score = {
  id: 'sc_1',
  trace_id: 'tr_1',
  block_id: null,
  run: null,
  name: 'correctness',
  value: 0.5,
  label: 'fair',
  comment: 'a <guess>',
  author: 'ada',
  source: 'human',
  metadata: {},
  created_at: '2026-07-01T12:00:00.000001Z',
};

test('shows a conversation with thoughts, calls, results, rewards, images and scores', async () => {
  const html = await page({ ...weather(), scores: async () => [SCORE] });

  expect(html).toMatch(/^<!doctype html>\n<html lang="en">.*<\/html>\n$/s);
  const text = textIn(html);
  for (const part of [
    'first try',
    'Run nightly',
    'Step 7',
    'Task weather train [3]',
    'Reward 1',
    'Duration 9 s',
    'correctness: 0.5 fair “a &lt;guess&gt;” by ada',
    "user what's the weather?",
    'Thought two cities',
    'get_weather 0 {&quot;city&quot;:&quot;bogotá&quot;} Result 22°C',
    'Result cloudy',
    "wait failed 1 Result Tool 'wait' failed: too late",
    'assistant 22°C and cloudy.',
  ]) {
    expect(text).toContain(part);
  }
  expect(html.split(`<img alt="image of the trace" src="${PNG_URL}">`)).toHaveLength(3);
});

test('contains neither scripts nor addresses, whatever a trace contains', async () => {
  const evil = '</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>\u001b[31m"\u202e';
  const rows = rowsOf(
    message({ id: 'tb_msg123', payload: { role: 'user', content: evil } }),
    message({
      id: 'tb_2',
      payload: {
        role: 'assistant',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.org/pixel.png' } },
          { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zz4=' } },
          { type: 'image', data: '"><script>', mimeType: 'image/png' },
        ],
      },
    }),
  );

  const html = await page(sourceOf(rows, { name: evil, model: evil, tags: [evil], metadata: { [evil]: evil } }));

  expect(html).not.toMatch(/<script|<img|<svg|onerror=alert\(1\)>|\u202e/);
  expect(html).not.toContain('\u001b');
  expect(html).not.toMatch(/<[^>]*(?:src|href)=/);
  expect(html).toContain("default-src 'none'");
  expect(textIn(html)).toContain('[image: https://example.org/pixel.png]');
});

test('shows several traces in one page, long texts closed, and calls without a result', async () => {
  const call = { id: 'tb_c', sub_type: 'TOOL_CALL', parent_block_id: 'tb_m', payload: { name: 'wait', arguments: {} } };
  const rows = rowsOf(message({ id: 'tb_m', payload: { role: 'assistant', content: 'x'.repeat(5_000) } }), call);
  const empty = { ...sourceOf([]), trace: trace({ id: 'tr_empty', name: null }) };

  const html = await page(sourceOf(rows), empty);

  expect(html.match(/<article>/g)).toHaveLength(2);
  expect(html.match(/<!doctype/g)).toHaveLength(1);
  expect(html).toContain('<details><summary>5,000 characters</summary>');
  expect(textIn(html)).toContain('(no result)');
  expect(textIn(html)).toContain('tr_empty');
});

test('writes a page without traces', async () => {
  expect(await page()).toContain('<main>\n</main>');
});

test('joins the pieces of a result', async () => {
  const call = {
    id: 'tb_call123',
    sub_type: 'TOOL_CALL',
    parent_block_id: 'tb_m',
    payload: { name: 'f', arguments: {} },
  };
  const piece = (delta: string, seq: number) => result({ id: `tb_${seq}`, payload: { delta, seq } });
  const rows = rowsOf(message({ id: 'tb_m' }), call, piece('one ', 0), piece('two', 1));

  expect(textIn(await page(sourceOf(rows)))).toContain('Result one two');
});

test('closes the messages of other agents under their names, where they are in the conversation', async () => {
  const of = (id: string, content: string, thread?: unknown) =>
    message({ id, payload: { role: 'user', content }, ...(thread !== undefined && { extra: { thread } }) });
  const rows = rowsOf(of('tb_1', 'plan'), of('tb_2', 'find it', 1), of('tb_3', 'found', 1), of('tb_4', 'end', '<b>'));
  const threads = { 1: { name: 'researcher' } };

  const html = await page(sourceOf(rows, { metadata: { threads } }));

  const parts = html.slice(html.indexOf('</header>')).match(/<\/?(?:details|article)|<summary>[^\n]*|<pre>[^<]*/g);
  expect(parts).toEqual([
    '<pre>plan',
    ...['<details', '<summary>researcher</summary>', '<pre>find it', '<pre>found', '</details'],
    ...['<details', '<summary>&lt;b&gt;</summary>', '<pre>end', '</details'],
    '</article',
  ]);
});
