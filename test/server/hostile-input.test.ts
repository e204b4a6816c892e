import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openJournal } from 'ors-kit/journal';
import { type RunningServer, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { type Expected, hostileCases, LIMIT, sidFor } from '../support/hostile-cases.ts';
import { type Answer, playEpisode, readResult, request } from '../support/http.ts';
import { OPERATION_IDS, validRequest } from '../support/operations.ts';

let server: RunningServer;
let folder: string;
let journal: Awaited<ReturnType<typeof openJournal>>;

beforeAll(async () => {
  const { math, other } = fixture();
  folder = await mkdtemp(join(tmpdir(), 'ors-hostile-'));
  journal = await openJournal(join(folder, 'episodes.db'));
  server = await serve(await hosted([{ ...math, durability: 'replay' }, other]), {
    port: 0,
    validateResponses: true,
    log: pino({ level: 'silent' }),
    bodyLimitBytes: LIMIT,
    // Without a journal, every fork would be refused.
    journal,
  });
  for (const sid of ['live', 'deleted']) {
    await request(server.url, validRequest('createEpisode', sid));
  }
});

afterAll(async () => {
  await server.close();
  await journal.close();
  await rm(folder, { recursive: true });
});

// `make properties` sends all requests to all operations.
const isWhole = process.env.ORS_TEST_RUNS !== undefined;

describe.each(OPERATION_IDS)('%s', (id) => {
  test.each(hostileCases(id, isWhole))('%s', async (_name, parts, expected) => {
    const response = await request(server.url, validRequest(id, sidFor(id), parts));

    check(response, expected);
  });
});

test('plays an episode after all of these requests', async () => {
  await playEpisode(server.url, 'after-all');
});

function check(response: Answer, expected: Expected): void {
  const isRefusal = response.status >= 400 && response.status < 500;
  const seen = expected === 'answered' && isRefusal ? 'refused' : expected;
  const excerpt = { status: response.status, body: response.body.slice(0, 300) };
  if (seen === 'refused') {
    expect(excerpt).toMatchObject({ status: expect.any(Number), body: expect.stringMatching(/^\{"detail":".+/s) });
    expect(isRefusal).toBe(true);
    expect(Object.keys(JSON.parse(response.body))).toEqual(['detail']);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body.length).toBeLessThan(4096);
  } else {
    expect(excerpt).toMatchObject({ status: 200 });
    if (seen === 'failed')
      expect(readResult(response.body)).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
  }
}
