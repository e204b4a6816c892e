import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import { recordedEpisodes } from '../bridges/recording.ts';
import { treasure } from '../bridges/treasure.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { newFolder } from '../trace/store/stores.ts';

const choice = { split: 'train', index: 1 };

/** Exports an episode with one call of `look`. */
async function exported() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-replay-'));
  const recorded = await recordedEpisodes(treasure, async ({ url }) => {
    await using client = new OrsClient(url);
    await using session = await client.environment('treasure').session(choice);
    await session.prompt();
    await session.call('look');
  });
  const file = join(folder, 'traces.jsonl');
  await writeFile(file, recorded.text.join(''));
  return { ...recorded, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

async function look(url: string) {
  await using client = new OrsClient(url);
  await using session = await client.environment('treasure').session(choice);
  const { blocks, reward, metadata } = await session.call('look');
  const departed = await session.call('look').catch(String);
  return { prompt: await session.prompt(), blocks, reward, metadata, departed };
}

test.each(['an export', 'a trace store'])('replays %s, and reports departures from the record', async (place) => {
  await using recorded = await exported();
  // Left out: it continues another trace.
  recorded.text.push(`${JSON.stringify({ trace: { id: 'tr_branch', parent_trace_id: 'tr_x', parent_calls: 1 } })}\n`);
  await writeFile(recorded.file, recorded.text.join(''));
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0 });
  await fetch(`${traces.url}/v1/organizations/default/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: recorded.text.join(''),
  });
  const source = place === 'an export' ? recorded.file : traces.url;
  await using command = startInProcess(['replay', source, '--port', '0']);
  const [, url = ''] = await command.says(/^ors replays 1 episode of treasure on (\S+)\n/);

  const seen = await look(url);
  await command.says(/tr_\w+: divergence after 1 calls: got look \{\}, recorded: no further call\n/);
  command.signal('SIGTERM');
  const { code } = await command.result;

  expect(seen.prompt).toMatchObject([{ text: 'Find the treasure.' }, { type: 'image' }]);
  expect(seen).toMatchObject({ reward: 0.1875, metadata: { canary: 'metadata' } });
  expect(seen.blocks).toMatchObject([{ text: 'A map.' }, { type: 'image' }]);
  expect(seen.departed).toMatch(/differs from the recording/);
  expect(code).toBe(0);
});

test('selects traces by id', async () => {
  await using recorded = await exported();
  const id = recorded.traces[0]?.trace.id ?? '';
  const other = `tr_${'0'.repeat(26)}`;
  await using command = startInProcess(['replay', recorded.file, '--trace', id, '--port', '0', '--json']);

  const [line] = await command.says(/^\{.*\}\n/);
  const missing = await orsInProcess(['replay', recorded.file, '--trace', other]);

  expect(JSON.parse(line)).toEqual({ url: expect.any(String), environments: ['treasure'], traces: 1 });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^ors: .*'.*traces\.jsonl'/)]);
});

test('ors replay reports a trace that cannot be played', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'empty.jsonl');
  await writeFile(file, '{"trace": {"id": "tr_empty"}}\n');

  const { code, stdout, stderr } = await orsInProcess(['replay', file, '--port', '0']);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^ors: tr_\w+: cannot replay a trace without a prompt and calls\n$/);
});

test.each([
  ['/no/such/file.jsonl', [], /^ors: cannot read '\/no\/such\/file\.jsonl': it does not exist; check the path/],
  ['LICENSE', [], /^ors: cannot replay 'LICENSE': line 1: /],
  ['package.json', [], /^ors: cannot replay 'package\.json': line 1: the line is not of a known format/],
  ['LICENSE', ['--run', 'x'], /--run needs a store; select traces of an export with --trace/],
  ['LICENSE', ['--order', 'random'], /Allowed choices are recorded, any/],
  ['LICENSE', ['--tools', 'LICENSE'], /--tools \(LICENSE\) is not valid JSON/],
])('ors replay %s %j reports the mistake', async (place, args, reason) => {
  const { code, stdout, stderr } = await orsInProcess(['replay', place, '--port', '0', ...args]);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(reason);
});
