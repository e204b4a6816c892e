import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { request } from '../support/client.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { ENGINES } from './cluster.ts';
import { missing } from './programs.ts';
import { startProxy } from './proxies.ts';

const SID = '00000000-1111-8222-8333-444444444444';

/** A server that names itself in its responses. A full one refuses new sessions. */
async function startServer(index: number, isFull = false, on = 0) {
  const held: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.setHeader('X-Node', index);
    response.setHeader('Content-Type', 'application/json');
    const sid = incoming.headers['x-session-id'];
    if (incoming.url === '/create' && sid) response.setHeader('X-Session-ID', sid);
    if (incoming.url === '/create' && isFull) response.statusCode = 503;
    if (incoming.url === '/held') held.push(response);
    if (incoming.url === '/held') response.write('{');
    else response.end('{}');
  })
    .listen(on, '127.0.0.1')
    .unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    /** Ends the responses to `/held`. */
    release: () => held.splice(0).map((response) => response.end('}')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Time for which a new HAProxy looks for a process whose table it can take over: five seconds here, five elsewhere. Until
 * then it does not pass its own table on.
 */
const SYNC_MS = 11_000;

const haproxy = ENGINES.find(({ name }) => name === 'haproxy');
if (!haproxy) throw new Error('no engine is named haproxy');

testUnless(missing('haproxy', 'HAProxy and a session away from its tag'))(
  'HAProxy remembers the node of a session that its full node refused, also after a reload',
  async () => {
    await using full = await startServer(0, true);
    await using free = await startServer(1);
    const addresses = [full.address, free.address];
    await using proxy = await startProxy('haproxy', addresses, haproxy.configure);
    const untilSynced = delay(SYNC_MS);
    const nodeOf = async (path: string, sid: string) =>
      (await request(proxy, 'POST', path, { sid })).headers.get('x-node');
    // The process that is being replaced closes connections.
    const nodeAfterReload = () => nodeOf('/ping', SID).catch(() => undefined);

    const created = await nodeOf('/create', SID);
    const learned = await nodeOf('/ping', SID);
    const byTag = await nodeOf('/ping', SID.replace('1111', '2222'));
    await untilSynced;
    await proxy.reload(addresses);
    await until(async () => (await nodeAfterReload()) === '1', 'the table of the old process');

    expect({ created, learned, byTag }).toEqual({ created: '1', learned: '1', byTag: '0' });
    for (let repeat = 0; repeat < 5; repeat++) expect(await until(nodeAfterReload)).toBe('1');
  },
);

testUnless(missing('haproxy', 'HAProxy and a connection of before a reload'))(
  'HAProxy sends no request of a connection of before a reload to another node than that of its session',
  async () => {
    await using old = await startServer(0);
    await using added = await startServer(1);
    await using proxy = await startProxy('haproxy', [old.address], haproxy.configure);
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket.on('error', () => {});
    const write = (path: string, sid: string) =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: proxy\r\nX-Session-ID: ${sid}\r\nContent-Length: 0\r\n\r\n`);
    const sid = SID.replace('0000', '0001');
    write('/held', SID);
    await until(() => received.includes('x-node: 0'));

    await proxy.reload([old.address, added.address]);
    const nodeOf = async (path: string) =>
      (await request(proxy, 'POST', path, { sid }).catch(() => undefined))?.headers.get('x-node');
    await until(async () => (await nodeOf('/create')) === '1');
    // The old process reads it as soon as the call ends.
    write('/ping', sid);
    old.release();
    await until(() => socket.closed || (received.match(/x-node/g) ?? []).length > 1);

    expect(received.match(/x-node: \d/g)).toEqual(['x-node: 0']);
    expect(await nodeOf('/ping')).toBe('1');
    socket.destroy();
  },
);

testUnless(missing('haproxy', 'HAProxy and a node that comes back'))(
  'HAProxy keeps a new session at a node that has just come back',
  async () => {
    await using stays = await startServer(0);
    let returns = await startServer(1);
    const { port, address } = returns;
    await using proxy = await startProxy('haproxy', [stays.address, address], haproxy.configure);
    const nodeOf = async (path: string, sid: string) =>
      (await request(proxy, 'POST', path, { sid }).catch(() => undefined))?.headers.get('x-node');
    const begin = async () => {
      const sid = randomUUID();
      return (await nodeOf('/create', sid)) === '1' && sid;
    };
    await until(begin);

    const nodes = [];
    // A return is noticed within a quarter of a second for new sessions, but within a second for open ones.
    for (let repeat = 0; repeat < 4; repeat++) {
      await returns[Symbol.asyncDispose]();
      // A failed connection hastens the checks for open sessions.
      const failed = nodeOf('/ping', SID.replace('0000', '0001'));
      await delay(400);
      returns = await startServer(1, false, port);
      nodes.push(await nodeOf('/ping', await until(begin)));
      await failed;
    }
    await returns[Symbol.asyncDispose]();

    expect(nodes).toEqual(['1', '1', '1', '1']);
  },
);
