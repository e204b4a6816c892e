import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from 'ors-kit/server';
import countdown from '../../examples/countdown/environment.ts';
import { createPuzzle, type Puzzle } from '../../examples/countdown/puzzle.ts';
import maze from '../../examples/maze/environment.ts';
import { start } from '../support/client.ts';
import { type Lab, lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { openSite, type Site } from './browser-site.ts';
import { openPage, type Page } from './chromium.ts';
import wire from './environment.ts';
import { makeText } from './fidelity-text.ts';
import { describeInBrowser } from './in-browser.ts';
import { inPage } from './in-page.ts';
import type * as ByHand from './page/by-hand.ts';
import type * as WithClient from './page/with-client.ts';
import type * as WithOpenapi from './page/with-openapi.ts';

const puzzle = createPuzzle(2, 0, 4);
const shown = ({ numbers, target }: Puzzle) => ({ numbers, target });
const text = makeText(7, 300_000);

describeInBrowser('the clients')('a page of another origin', () => {
  let site: Site;
  let room: Lab;
  let server: RunningServer;
  let page: Page;
  let client: typeof WithClient;
  let generated: typeof WithOpenapi;

  beforeAll(async () => {
    site = await openSite();
    room = lab();
    server = await start([countdown, maze, wire, room.environment], { corsOrigins: [site.url] });
    page = await openPage(site.url);
    client = inPage(page, 'with-client');
    generated = inPage(page, 'with-openapi');
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    await server?.close();
    await site?.[Symbol.asyncDispose]();
  });
  afterEach(() => {
    expect(page.console).toEqual([]);
    expect([...page.hosts].sort()).toEqual([site.url, server.url].sort());
    expect(server.sessionCount).toBe(0);
  });

  test('discovers what there is', async () => {
    const found = await client.discover(server.url);

    expect(found).toMatchObject({ dialect: 'ors-kit', environments: ['countdown', 'maze', 'wire', 'lab'], count: 200 });
    expect(found.splits.map(({ name }) => name)).toEqual(['train', 'test', 'hard']);
    expect(found.tasks).toEqual([0, 1, 2].map((index) => shown(createPuzzle(2, index, 4))));
  });

  test('plays an episode', async () => {
    const played = await client.play(server.url, 0, puzzle.solution);

    expect(played).toMatchObject({ reward: 1, finished: true });
    expect(played.prompt).toMatchObject([{ type: 'text', text: expect.stringContaining(`Reach ${puzzle.target}`) }]);
    expect(played.tools.map((tool) => tool.function.name)).toEqual(['evaluate', 'submit']);
  });

  test('plays an episode with the client that is generated from the document', async () => {
    const played = await generated.play(server.url, 0, puzzle.solution);

    expect(played.environments).toEqual(['countdown', 'maze', 'wire', 'lab']);
    expect(played.tools).toEqual(['evaluate', 'submit']);
    expect(played.events.map(({ event }) => event)).toEqual(['task_id', 'end']);
    expect(JSON.parse(played.events[1]?.data ?? '')).toMatchObject({ ok: true, output: { reward: 1, finished: true } });
    expect(played.deleted).toHaveProperty('sid');
  });

  test('gets a long text unharmed', async () => {
    const received = await client.fetchText(server.url, 7, 300_000);

    expect(received === text).toBe(true);
  });

  test('gets a long text unharmed, event by event', async () => {
    const received = await generated.fetchText(server.url, 7, 300_000);

    expect(received.text === text).toBe(true);
    expect(received.events).toBeGreaterThan(70);
  });

  test('passes a secret to the episode', async () => {
    const told = await client.keepSecret(server.url, 'KEY', 'sésame');

    expect(told).toBe(createHash('sha256').update('sésame').digest('hex'));
  });

  test('shows a picture', async () => {
    const size = await client.showMaze(server.url);

    expect(size.width).toBeGreaterThanOrEqual(256);
    expect(size.height).toBeGreaterThanOrEqual(256);
  });

  test('leaves a call and comes back to it', async () => {
    const { session, call } = await client.begin(server.url, 'gate');
    await until(() => room.events.includes('start gate'));

    const reason = await client.abort();
    room.open('gate');
    const result = await client.resume(server.url, session, call);

    expect(reason).toBe('AbortError');
    expect(result).toBe('gate');
    expect(room.events.filter((event) => event === 'start gate')).toHaveLength(1);
  });

  test.each(['X-Session-ID', 'X-API-Key', 'Content-Type', 'X-Secrets'])('may send %s', async (name) => {
    const value = name === 'Content-Type' ? 'application/json' : 'e30=';

    const status = await inPage<typeof ByHand>(page, 'by-hand').sendHeader(server.url, name, value);

    expect(status).toBe(200);
  });

  test('may read which fields the server ignored', async () => {
    const ignored = await inPage<typeof ByHand>(page, 'by-hand').readIgnoredFields(server.url);

    expect(ignored).toBe('extra');
  });
});

describeInBrowser('the errors of the clients')('a page whose request fails', () => {
  test('gets a SessionLostError if its episode is gone', async () => {
    await using site = await openSite();
    await using server = await start(lab().environment, { corsOrigins: [site.url] });
    await using page = await openPage(site.url);

    const error = await inPage<typeof WithClient>(page, 'with-client').callInLostEpisode(server.url);

    expect(error).toMatchObject({ name: 'SessionLostError', isA: ['SessionLostError'], retryable: true });
  });

  test('gets an OrsConnectionError if its origin is not allowed', async () => {
    await using site = await openSite();
    await using server = await start(lab().environment, { corsOrigins: [site.url] });
    await using page = await openPage(site.url.replace('127.0.0.1', 'localhost'));

    const error = await inPage<typeof WithClient>(page, 'with-client').tryToDiscover(server.url);

    expect(error).toMatchObject({ name: 'OrsConnectionError', isA: ['OrsConnectionError'] });
    expect(error.message).toContain(`no response from ${server.url}`);
    expect(await page.evaluate('document.body.textContent')).toBe(error.message);
    expect(page.console.join('\n')).toContain('blocked by CORS policy');
  });
});
