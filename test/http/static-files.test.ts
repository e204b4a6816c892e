import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import { staticFolders } from '../../src/http/express-app.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(100);

const folder = mkdtempSync(join(tmpdir(), 'ors-static-'));
writeFileSync(join(folder, 'page.js.br'), brotliCompressSync(SCRIPT));
writeFileSync(join(folder, 'plain.js'), SCRIPT);
const server = createServer(express().use(staticFolders({ '/docs': folder }))).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function read(path: string, encoding: string, method = 'GET') {
  const headers = { 'Accept-Encoding': encoding };
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test('sends a script that the build has compressed as it is to clients that accept Brotli', async () => {
  const { status, headers, body } = await read('/docs/page.js', 'gzip, br');

  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(headers['content-type']).toMatch(/javascript/);
  expect(String(brotliDecompressSync(body))).toBe(SCRIPT);
});

test('decompresses it for clients that do not', async () => {
  const { status, headers, body } = await read('/docs/page.js', 'identity');

  expect(status).toBe(200);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['content-type']).toMatch(/javascript/);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(String(body)).toBe(SCRIPT);
});

test.each(['br', 'identity'])('sends no body to HEAD with Accept-Encoding %s', async (encoding) => {
  const { status, body } = await read('/docs/page.js', encoding, 'HEAD');

  expect([status, body.length]).toEqual([200, 0]);
});

test.each([
  ['/docs/plain.js', 200],
  ['/docs/other.js', 404],
  ['/docs/..%2fpage.js', 404],
])('serves %s with status %i', async (target, expected) => {
  const { status } = await read(target, 'br');

  expect(status).toBe(expected);
});
