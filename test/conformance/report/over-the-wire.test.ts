import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import fixture from '../../../examples/conformance/environment.ts';
import {
  type ConformanceOptions,
  createInputGenerator,
  runChecks,
  serverChecks,
  toConformanceResults,
  writeReports,
} from '../../../src/conformance/index.ts';
import { start } from '../../support/client.ts';
import { hostile } from '../../support/hostile-texts.ts';
import { echoServer } from './echo-server.ts';
import { problemsOf } from './schema.ts';

/** Enough checks to get every kind of response. */
const GROUPS = ['error', 'session', 'episode', 'call'];

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Runs the checks against a server, and returns the results and the files of the report. */
async function report(url: string, options: ConformanceOptions = {}) {
  const run = await runChecks(
    new URL(url),
    { timeoutMs: 5_000, ...options },
    { checks: serverChecks, inputs, suite: 'ors-kit 0' },
  );
  const results = toConformanceResults(run, { options, knownChecks: serverChecks.map(({ id }) => id) });
  const folder = await mkdtemp(join(tmpdir(), 'ors-report-'));
  try {
    await writeReports(join(folder, 'new', 'folder'), results);
    const names = await readdir(join(folder, 'new', 'folder'));
    const texts = names.map(
      async (name) => [name, await readFile(join(folder, 'new', 'folder', name), 'utf8')] as const,
    );
    const files: Record<string, string> = Object.fromEntries(await Promise.all(texts));
    return { results, files };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns a text together with its decoded base64 and percent-encoded parts. */
function readings(written: string): string {
  const words = written.match(/[A-Za-z0-9+/_=-]{8,}/g) ?? [];
  const decoded = words.flatMap((word) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(word.slice(skip), 'base64').toString('latin1')),
  );
  return [
    written,
    written.replace(/%[0-9A-F]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    ...decoded,
  ].join('\n');
}

test('writes a valid and small report on the core profile without failures', async () => {
  await using server = await start(fixture);

  const { results, files } = await report(server.url, { concurrency: 8 });

  expect(problemsOf(JSON.parse(files['results.json'] ?? ''))).toEqual([]);
  expect(Object.keys(files).sort()).toEqual(['badge.svg', 'junit.xml', 'report.html', 'results.json']);
  expect(Object.values(files).filter((text) => text.length > 3_000_000)).toEqual([]);
  expect(results.verdict).toMatchObject({ outcome: 'conforms', exit_code: 0 });
  expect(server.sessionCount).toBe(0);
});

test('masks secrets and header values in all reports, however the server echoes them', async () => {
  const secrets = { KEY: 'sesame-open-7391', OTHER: 'päss"word\\42' };
  const headers = [
    ['Authorization', 'Bearer tokenOfTheUser99'],
    ['X-Team', 'team-rocket-17'],
  ] as const;
  await using server = await echoServer();

  const { results, files } = await report(server.url, { secrets, headers, only: GROUPS });

  expect(server.heard('authorization')).toContain('Bearer tokenOfTheUser99');
  expect(results.results.filter(({ state }) => state === 'fail').length).toBeGreaterThan(3);
  expect(problemsOf(results)).toEqual([]);
  const bodies = results.results.flatMap(({ exchanges }) =>
    exchanges.map(({ request_body }) => request_body?.content ?? ''),
  );
  expect(bodies.some((body) => body.includes('"KEY":"[secret]"'))).toBe(true);
  const everything = readings(Object.values(files).join('\n'));
  const hidden = ['sesame-open-7391', 'word\\42', 'word\\\\42', 'tokenOfTheUser99', 'team-rocket-17'];
  expect(hidden.filter((value) => everything.includes(value))).toEqual([]);
});

test('keeps terminal controls and markup as text in a valid report', async () => {
  await using server = await echoServer('</script><img src=x onerror=alert(1)>\u2028\x1b[2J\x07\u202e');

  const { results, files } = await report(server.url, { only: GROUPS });

  expect(problemsOf(results)).toEqual([]);
  expect(files['report.html']?.match(/<\/script>/g)).toHaveLength(2);
  expect(files['report.html']).not.toContain('<img');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  expect(files['junit.xml']).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f]|<img/);
});

test('tests an environment with hostile texts', async () => {
  await using server = await start(hostile());

  const { results } = await report(server.url, { only: ['discovery', 'call', 'type'] });

  expect(problemsOf(results)).toEqual([]);
  expect(results.results.filter(({ state }) => state === 'harness-error')).toEqual([]);
  expect(server.sessionCount).toBe(0);
});
