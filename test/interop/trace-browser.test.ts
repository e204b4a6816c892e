import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from 'ors-kit/server';
import type { StitchedTrace } from 'ors-kit/trace';
import countdown from '../../examples/countdown/environment.ts';
import { createPuzzle } from '../../examples/countdown/puzzle.ts';
import { type RunningTraceServer, serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { start } from '../support/client.ts';
import { chunk } from '../trace/client/openai-words.ts';
import { outline } from '../trace/client/providers.ts';
import { openSite, type Site } from './browser-site.ts';
import { openPage, type Page } from './chromium.ts';
import { describeInBrowser } from './in-browser.ts';
import { inPage } from './in-page.ts';
import type * as WithTrace from './page/with-trace.ts';

const KEY = 'a-key-of-the-store';

describeInBrowser('the client of traces')('a page of another origin that logs', () => {
  const store = createMemoryStore();
  let site: Site;
  let traces: RunningTraceServer;
  let page: Page;
  let logging: typeof WithTrace;

  beforeAll(async () => {
    site = await openSite();
    traces = await serveTraces({ store, port: 0, metrics: false, corsOrigins: [site.url] });
    page = await openPage(site.url);
    logging = inPage(page, 'with-trace');
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    await traces?.close();
    await site?.[Symbol.asyncDispose]();
    await store.close();
  });
  afterEach(() => {
    expect(page.console).toEqual([]);
  });

  async function stitched(id: string): Promise<StitchedTrace> {
    const answer = await fetch(`${traces.url}/v1/organizations/default/traces/${id}/blocks.stitched?assemble=true`);
    return (await answer.json()) as StitchedTrace;
  }

  test('gets receipts of what is stored, and nothing is too large', async () => {
    const length = 3_000_000;

    const { id, receipt, status, report, whole } = await logging.logConversation(traces.url, KEY, length);

    expect(receipt).toMatchObject({ id: whole.messages[0]?.tool_calls[0]?.tool_results.at(-1)?.id, replayed: false });
    expect([status, report.failed]).toEqual(['finished', []]);
    expect(report.acknowledged).toBe(4);
    const [message] = whole.messages;
    expect(message?.payload.content).toBe(`höre 🔔 [secret] ${'x'.repeat(length)}`);
    expect(message?.thinks.map(({ payload }) => payload.text).join('')).toHaveLength(length);
    expect(message?.tool_calls[0]?.assembled).toMatchObject({ value: 'z'.repeat(length) });
    expect((await stitched(id)).trace).toMatchObject({ run: 'of-a-page', reward_sum: 1 });
  });

  test('records the episode that it plays', async () => {
    await using server: RunningServer = await start([countdown], { corsOrigins: [site.url] });

    const played = await logging.recordPlay(traces.url, KEY, server.url, createPuzzle(2, 0, 4).solution);

    expect(played).toMatchObject({ reward: 1, report: { failed: [] } });
    const { trace, messages } = await stitched(played.id);
    expect(trace).toMatchObject({ environment: 'countdown', status: 'finished', reward_sum: 1 });
    expect(messages.flatMap(({ tool_calls }) => tool_calls.map(({ payload }) => payload.name))).toEqual(['submit']);
  });

  test("logs what it says to OpenAI's package", async () => {
    const events = [chunk({ content: 'hö' }), chunk({ content: 're' }, 'stop')];
    const stream = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;

    const { id, heard, report } = await logging.converse(traces.url, KEY, stream);

    expect([heard, report.failed]).toEqual(['höre', []]);
    expect(outline((await stitched(id)).messages)).toEqual([
      ['user', 'go'],
      ['assistant', 'höre'],
    ]);
  });

  test('is notified of rejected blocks, and that browsers have no spool', async () => {
    await using other = await openPage(site.url);

    const refused = await inPage<typeof WithTrace>(other, 'with-trace').beRefused(traces.url, KEY);

    expect(refused).toEqual({
      told: ['SPOOL', 'VALIDATION'],
      code: 'VALIDATION',
      status: 422,
      isTraceError: true,
    });
    expect(other.console.join('\n')).toContain('422');
  });
});
