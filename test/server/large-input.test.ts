import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { parseJson } from '../../src/core/index.ts';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { chunked, playEpisode, type RawRequest, request, send } from '../support/http.ts';

const serveMath = async () =>
  serve(await hosted([fixture().math]), { port: 0, validateResponses: true, log: pino({ level: 'silent' }) });

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const MEGABYTE = 1024 * 1024;
const padded = (bytes: number) => Buffer.from(`{"split":"train"}`.padEnd(bytes, ' '));

/** Made when its test runs, so that only one of them is in memory. */
type MadeRequest = () => RawRequest | Promise<RawRequest>;

const packed = (megabytes: number) => {
  const megabyte = Buffer.alloc(MEGABYTE, ' ');
  return buffer(Readable.from(Array.from({ length: megabytes }, () => megabyte)).pipe(createGzip()));
};

test.each<[string, MadeRequest]>([
  ['33 MB of Content-Length', () => ({ body: padded(33 * MEGABYTE) })],
  [
    '33 MB in chunks',
    () => ({ headers: [JSON_TYPE, ['Transfer-Encoding', 'chunked']], body: chunked(padded(33 * MEGABYTE)) }),
  ],
  [
    '33 MB that are announced and wait to be let in',
    () => ({ headers: [JSON_TYPE, ['Content-Length', String(33 * MEGABYTE)], ['Expect', '100-continue']] }),
  ],
  [
    '300 KB that unpack to 300 MB',
    async () => ({ headers: [JSON_TYPE, ['Content-Encoding', 'gzip']], body: await packed(300) }),
  ],
])('rejects a body of more than 32 MiB by default: %s', async (_name, parts) => {
  await using server = await serveMath();

  const response = await request(server.url, {
    method: 'POST',
    target: '/math/tasks',
    headers: [JSON_TYPE],
    ...(await parts()),
  });

  expect(response.status).toBe(413);
  expect(JSON.parse(response.body)).toEqual({ detail: expect.stringContaining('33554432') });
  await playEpisode(server.url, 'after');
});

test.each([
  [2_000_000, 200],
  [2_000_001, 413],
])('answers a body of %d bytes with %d if the limit is 2,000,000', async (bytes, status) => {
  const log = pino({ level: 'silent' });
  await using server = await serve(await hosted([fixture().math]), { port: 0, log, bodyLimitBytes: 2_000_000 });
  const body = padded(bytes);

  const response = await request(server.url, { method: 'POST', target: '/math/tasks', headers: [JSON_TYPE], body });

  expect(response.status).toBe(status);
});

test('accepts a body of 31 MB', async () => {
  await using server = await serveMath();

  const response = await request(server.url, {
    method: 'POST',
    target: '/math/tasks',
    headers: [JSON_TYPE],
    body: padded(31 * MEGABYTE),
  });

  expect(response.status).toBe(200);
});

test.each([
  ['60,000 slashes', `${'/'.repeat(60_000)}x`],
  ['60,000 slashes inside', `/math${'/'.repeat(60_000)}tools`],
  ['60,000 escapes', `/${'%41'.repeat(20_000)}`],
  ['60,000 dots', `/${'../'.repeat(20_000)}`],
])('survives a path of %s', async (_name, target) => {
  const { math, other } = fixture();
  await using server = await serve(await hosted([math, other]), { port: 0, validateResponses: true });

  const response = await request(server.url, { target });

  expect(response.status).toBe(404);
  await playEpisode(server.url, 'after');
});

test('lists ignored fields in a header that every client can read', async () => {
  await using server = await serveMath();
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${'世'.repeat(120)}${index}`, index]));

  const response = await send(server.url, {
    method: 'POST',
    target: '/create',
    headers: { 'X-Session-ID': 'a' },
    body: { split: 'train', index: 0, ...fields },
  });

  expect(response.status).toBe(200);
  expect(response.headers['x-ignored-fields']?.length).toBeLessThan(8_192);
});

test.each([98, 99, 100, 101])('lists an ignored field whose %ith character is an emoji', async (length) => {
  await using server = await serveMath();

  const field = `${'f'.repeat(length - 1)}😀`;
  const response = await request(server.url, {
    method: 'POST',
    target: '/create',
    headers: [JSON_TYPE, ['X-Session-ID', 'a']],
    body: JSON.stringify({ split: 'train', index: 0, [field]: 1 }),
  });

  expect(response.status).toBe(200);
  expect(response.headers['x-ignored-fields']).toContain('fff');
});

test('reports only a few of many numbers that lose precision', () => {
  const { problems } = parseJson(`{"${'k'.repeat(1_000)}":[${'1e999,'.repeat(20_000)}1]}`);

  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThan(1_000);
});
