import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { until, withDeadline } from '../support/until.ts';
import { conversation, randomScripts, runAll, runScript } from './scripts.ts';
import { startTarget, type Target, type TargetName, untilGivenBack } from './target.ts';

/** How many random scripts each server gets: ORS_HOSTILE_SCRIPTS, by default a short run. */
const SCRIPTS = Number(process.env.ORS_HOSTILE_SCRIPTS ?? 2_000);
const SEED = Number(process.env.ORS_HOSTILE_SEED ?? Date.now() % 1_000_000);
const AT_A_TIME = 64;
/** Together far more than the budget, which is that of two bodies. */
const BOMBS = 12;

const TARGETS: readonly TargetName[] = ['ors serve', 'ors traces serve'];
const figures: string[] = [];

afterAll(() => {
  process.stdout.write(`${figures.join('\n')}\n`);
});

const inMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function deleteSessions({ name, url }: Target): Promise<void> {
  if (name !== 'ors serve') return;
  for (let n = 0; n < 8; n++) await fetch(`${url}/delete`, { method: 'POST', headers: { 'X-Session-ID': `s${n}` } });
}

describe.each(TARGETS)('%s', (name) => {
  test(`gives everything back after ${SCRIPTS} random scripts (seed ${SEED}), and ends on SIGTERM`, async () => {
    await using target = await startTarget(name);
    const scripts = randomScripts(name, SEED, SCRIPTS);
    const warmUp = randomScripts(name, SEED + 1, Math.min(1_000, SCRIPTS));
    await runAll(warmUp, AT_A_TIME, (steps) => runScript(target.port, steps));
    await deleteSessions(target);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const before = await target.holdings();
    const since = performance.now();

    await runAll(scripts, AT_A_TIME, (steps) => runScript(target.port, steps));

    const seconds = (performance.now() - since) / 1_000;
    await deleteSessions(target);
    const after = await untilGivenBack(target, before);
    await deleteSessions(target);
    figures.push(
      `${name}: ${SCRIPTS} scripts in ${seconds.toFixed(0)} s; heap ${inMegabytes(before.heapBytes)} -> ` +
        `${inMegabytes(after.heapBytes)}, descriptors ${before.descriptors} -> ${after.descriptors}, ` +
        `open streams ${after.openStreams}, timers ${before.resources.Timeout ?? 0} -> ${after.resources.Timeout ?? 0}`,
    );
    expect(await target.stop()).toMatchObject({ code: 0 });
  });

  test.each(['reset', 'half-close'] as const)('survives a %s after each byte of a conversation', async (kind) => {
    await using target = await startTarget(name);
    const bytes = conversation(name);
    await runScript(target.port, [{ kind: 'send', bytes }]);
    const before = await target.holdings();
    const lengths = Array.from({ length: bytes.length }, (_, index) => index + 1);

    await runAll(lengths, AT_A_TIME, (length) =>
      runScript(target.port, [
        { kind: 'send', bytes: bytes.slice(0, length) },
        { kind: 'wait', ms: 1 },
        { kind },
        { kind: 'wait', ms: 1 },
      ]),
    );

    await deleteSessions(target);
    await untilGivenBack(target, before);
    await deleteSessions(target);
    expect(await target.stop()).toMatchObject({ code: 0 });
  });

  test('ends on SIGTERM beside a half-open CONNECT and an unfinished request', async () => {
    await using target = await startTarget(name);
    const sockets = await Promise.all(
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /health HTTP/1.1\r\nHost: lo'].map(async (bytes) => {
        const socket = connect({ port: target.port, host: '127.0.0.1', allowHalfOpen: true }).resume();
        socket.on('error', () => undefined);
        await withDeadline(once(socket, 'connect'), 'a connection');
        socket.write(bytes);
        return socket;
      }),
    );

    const { code } = await target.stop();
    for (const socket of sockets) socket.destroy();

    expect(code).toBe(0);
  });

  test('says in its log and to readiness probes that no descriptors are left, and recovers', async () => {
    await using target = await startTarget(name, { descriptors: 96 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        request({ port: target.port, host: '127.0.0.1', path, agent }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text) => {
            body += text;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        })
          .on('error', reject)
          .end();
      });
    const isReady = () => get(name === 'ors serve' ? '/ready' : '/readyz');
    const first = await isReady();
    // Loads Express, so that nothing else needs a file.
    await get('/nothing');
    const sockets: Socket[] = [];
    for (let count = 0; count < 150; count++) {
      sockets.push(connect(target.port, '127.0.0.1').on('error', () => undefined));
    }
    const exhausted = await until(async () => {
      const answer = await isReady();
      return answer.status !== 200 && answer;
    }, 'a readiness probe that fails');
    await until(() => target.output().includes('no file descriptors are left'), 'the line of the log');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await isReady()).status === 200, 'a readiness probe that succeeds again');
    agent.destroy();

    expect(first.status).toBe(200);
    expect(exhausted).toMatchObject({ status: 503, body: expect.stringContaining('ulimit') });
    expect(await target.stop()).toMatchObject({ code: 0 });
  });

  test('decompresses a storm of bombs within its budget', async () => {
    await using target = await startTarget(name);
    const limit = name === 'ors serve' ? 32 : 16;
    const bomb = gzipSync(Buffer.alloc(limit * 1024 * 1024 - 100, ' '), { level: 9 });
    const path = name === 'ors serve' ? '/create_session' : '/v1/organizations/default/traces';
    let peak = 0;
    const before = target.residentMegabytes();
    const timer = setInterval(() => {
      peak = Math.max(peak, target.residentMegabytes());
    }, 10);

    const statuses = await Promise.all(
      Array.from({ length: BOMBS }, async () => {
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
        const response = await fetch(target.url + path, { method: 'POST', headers, body: bomb });
        await response.arrayBuffer();
        return response.status;
      }),
    ).finally(() => clearInterval(timer));

    figures.push(
      `${name}: ${BOMBS} bombs of ${bomb.length} bytes, resident ${before.toFixed(0)} -> ${peak.toFixed(0)} MB`,
    );
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(peak - before).toBeLessThan(BOMBS * limit);
    expect((await fetch(target.url + (name === 'ors serve' ? '/health' : '/healthz'))).status).toBe(200);
  });
});
