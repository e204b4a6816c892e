import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { request } from '../support/client.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { ENGINES } from './cluster.ts';
import { missing } from './programs.ts';
import { startProxy } from './proxies.ts';

const SID = '00000000-1111-8222-8333-444444444444';

/** A server that names itself in its responses. A full one refuses new sessions. */
async function startServer(index: number, isFull: boolean) {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.setHeader('X-Node', index);
    response.setHeader('Content-Type', 'application/json');
    const sid = incoming.headers['x-session-id'];
    if (incoming.url === '/create' && sid) response.setHeader('X-Session-ID', sid);
    if (incoming.url === '/create' && isFull) response.statusCode = 503;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

testUnless(missing('haproxy', 'HAProxy and a session away from its tag'))(
  'HAProxy remembers the node of a session that its full node refused, also after a reload',
  async () => {
    const haproxy = ENGINES.find(({ name }) => name === 'haproxy');
    if (!haproxy) throw new Error('no engine is named haproxy');
    await using full = await startServer(0, true);
    await using free = await startServer(1, false);
    const addresses = [full.address, free.address];
    await using proxy = await startProxy('haproxy', addresses, haproxy.configure);
    const nodeOf = async (path: string, sid: string) =>
      (await request(proxy, 'POST', path, { sid })).headers.get('x-node');

    const created = await nodeOf('/create', SID);
    const learned = await nodeOf('/ping', SID);
    const byTag = await nodeOf('/ping', SID.replace('1111', '2222'));
    await proxy.reload(addresses);
    await until(async () => (await nodeOf('/ping', SID)) === '1', 'the table of the old process');

    expect({ created, learned, byTag }).toEqual({ created: '1', learned: '1', byTag: '0' });
    for (let repeat = 0; repeat < 5; repeat++) expect(await nodeOf('/ping', SID)).toBe('1');
  },
);
