import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from '../support/fast-check.ts';
import type { TargetName } from './target.ts';

/** One step of a client on a connection. */
export type Step =
  | { readonly kind: 'send'; readonly bytes: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'pause' | 'resume' | 'half-close' | 'reset' };

const SIDS = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7'];

function post(path: string, body: object, sid = 's0', more = ''): string {
  const json = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\nContent-Type: application/json\r\n${more}` +
    `Content-Length: ${json.length}\r\n\r\n${json}`
  );
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

const TRACES = '/v1/organizations/default/traces';

/** Requests that a server carries out. */
const VALID: Readonly<Record<TargetName, readonly string[]>> = {
  'ors serve': SIDS.flatMap((sid) => [
    get('/health'),
    post('/create', { env_name: 'target', split: 'train', index: 0 }, sid),
    post('/target/call', { name: 'echo', input: { size: 10 } }, sid),
    post('/target/call', { name: 'echo', input: { size: 300_000 } }, sid),
    post('/target/call', { name: 'sleep', input: { ms: 30 } }, sid),
    post('/ping', {}, sid),
    post('/delete', {}, sid),
  ]),
  'ors traces serve': SIDS.flatMap((sid) => [
    get('/healthz'),
    post(TRACES, { id: `tr_${sid}` }),
    post(`${TRACES}/tr_${sid}/blocks`, { sub_type: 'MESSAGE', payload: { role: 'user', content: 'x'.repeat(2_000) } }),
    get(`${TRACES}/tr_${sid}/blocks`),
    get(`${TRACES}/tr_${sid}/stream`),
    get(`${TRACES}/tr_${sid}/stitched`),
  ]),
};

/** Malformed input, and requests that need special handling. */
const ODD: readonly string[] = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  get('/health', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  get('/health', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n'),
  'TRACE /health HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  'GET http://x?a HTTP/1.1\r\nHost: x\r\n\r\n',
  post('/create', {}, 's0', 'Expect: 100-continue\r\n'),
  post('/create', {}, 's0', 'Expect: a-miracle\r\n'),
  'POST /create HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n',
  'POST /create HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n{',
  'POST /create HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ',
  'POST /create HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /create HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /create HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n',
  'POST /create HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd',
  `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
  'GARBAGE\r\n\r\n',
  '\0\x01\x02\xff',
  '\r\n\r\n\r\n',
];

const step = (name: TargetName): fc.Arbitrary<Step> => {
  const valid = fc.constantFrom(...VALID[name]);
  const any = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: fc.constantFrom(...ODD) });
  const send = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((bytes): Step => ({ kind: 'send', bytes }));
  return fc.oneof(
    { weight: 8, arbitrary: send(any) },
    { weight: 2, arbitrary: send(fc.tuple(valid, fc.integer({ min: 1, max: 60 })).map(([one, n]) => one.repeat(n))) },
    { weight: 3, arbitrary: send(fc.tuple(any, fc.double({ min: 0, max: 1, noNaN: true })).map(cut)) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }).map((ms): Step => ({ kind: 'wait', ms })) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('pause', 'resume', 'half-close', 'reset').map((kind): Step => ({ kind }) as Step),
    },
  );
};

const cut = ([bytes, share]: [string, number]): string => bytes.slice(0, Math.ceil(bytes.length * share));

/** Random scripts, the same for the same seed. */
export const randomScripts = (name: TargetName, seed: number, count: number): (readonly Step[])[] =>
  fc.sample(fc.array(step(name), { minLength: 1, maxLength: 8 }), { seed, numRuns: count });

/** A conversation that uses what both servers have, for resets after each of its bytes. */
export const conversation = (name: TargetName): string => [...VALID[name].slice(0, 7), ODD[0], ODD[1]].join('');

/** Runs one script over a new connection, and destroys it at the end. */
export async function runScript(port: number, steps: readonly Step[]): Promise<void> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  for (const each of steps) {
    if (socket.destroyed) return;
    if (each.kind === 'send') socket.write(each.bytes, 'latin1');
    else if (each.kind === 'wait') await sleep(each.ms);
    else if (each.kind === 'pause') socket.pause();
    else if (each.kind === 'resume') socket.resume();
    else if (each.kind === 'half-close') socket.end();
    // Node leaks a socket that is reset after its half was closed.
    else if (socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
  await sleep(2);
  socket.destroy();
}

/** Runs all items, `atATime` of them concurrently. */
export async function runAll<T>(items: readonly T[], atATime: number, run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of rest) await run(item);
    }),
  );
}
