import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { parseExpectedFailures } from '../../src/conformance/report/verdict.ts';
import { detectSdk, formatSdk, SDKS } from '../../src/conformance/sdk.ts';

/** Serves one response for every request. */
async function serveResponse(respond: (response: ServerResponse) => void) {
  const http = createServer((_, response) => respond(response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      http.close();
      http.closeAllConnections();
    },
  };
}

const json = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json', server: 'uvicorn' }).end(JSON.stringify(body));
const redirect = (response: ServerResponse) =>
  void response.writeHead(308, { location: '/maze/version', server: 'uvicorn' }).end();

test.each<[string, (response: ServerResponse) => void, string | undefined]>([
  ['openreward', json({ version: '0.1.167', build_sha: null }), 'openreward 0.1.167'],
  ['ors-sdk', redirect, 'ors-sdk'],
  ['ors-kit', json({ name: 'ors-kit', version: '0.1.0' }), undefined],
  ['a server without a version', (response) => void response.writeHead(404).end(), undefined],
])('detects %s', async (_, respond, expected) => {
  await using server = await serveResponse(respond);

  const sdk = await detectSdk(server.url);

  expect(sdk && formatSdk(sdk)).toBe(expected);
});

test.each(SDKS)('knows the failures of %s, each of which is a check', (name) => {
  const known = parseExpectedFailures(readFileSync(`docs/expected-failures/${name}.txt`, 'utf8'));

  const ids: readonly string[] = serverChecks.map(({ id }) => id);
  expect([...known.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  expect([...known.values()].filter(({ reason }) => reason === 'no reason given')).toEqual([]);
});
