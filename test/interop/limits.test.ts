import { expect, test } from '@jest/globals';
import { apiKeys, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { serveTraces } from '../../src/trace/api/index.ts';
import { readTraceLimits } from '../../src/trace/model/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import wire from './environment.ts';
import { clients, describeWithPython, packages, runPlayer } from './python.ts';

const subjects = ['over_full', 'call_timeout', 'result_bytes', 'body_bytes', 'header_bytes'];

const start = (options: ServerOptions) =>
  // Warnings about tools that are stopped on purpose are expected.
  serve([wire], { port: 0, log: pino({ level: 'silent' }), ...options });

describeWithPython().each(packages.map((name) => ({ name })))('$name', ({ name }) => {
  test('is notified of every limit that it reaches, and continues; a run with twice as many episodes as slots succeeds', async () => {
    const limits = { maxSessions: 8, callTimeoutMs: 1_000, maxResultBytes: 20_000, bodyLimitBytes: 100_000 };
    await using server = await start(limits);

    const played = await runPlayer('limits_player.py', [server.url, name, 'async']);

    expect(played).toEqual({ exitCode: 0, lines: subjects.map((subject) => `ok ${subject}`) });
    expect(server.sessionCount).toBe(0);
  });
});

describeWithPython()('the standard library of Python', () => {
  const limitBytes = 1_000_000;
  const startTraces = async () =>
    serveTraces({ store: createMemoryStore(), port: 0, limits: { ...readTraceLimits({}), request: limitBytes } });
  test.each([
    ['environments', () => start({ bodyLimitBytes: limitBytes }), '/wire/tasks'],
    ['traces', startTraces, '/v1/traces'],
  ])('reads the response of a server of %s to a body over its limit', async (_what, startServer, path) => {
    await using server = await startServer();

    const played = await runPlayer('oversize_player.py', [`${server.url}${path}`, '10000000']);

    const read = ['urllib', 'http_client', 'http_client_in_chunks'];
    expect(played).toEqual({ exitCode: 0, lines: read.map((subject) => `ok ${subject}`) });
  });
});

describeWithPython().each(clients)('$name, $mode', ({ name, mode }) => {
  test('plays with the key of its surroundings, and says that it needs one', async () => {
    await using server = await start({ authenticate: apiKeys('key-of-ann') });
    const keys = { ORS_API_KEY: 'key-of-ann', OPENREWARD_API_KEY: 'key-of-ann' };

    const played = await runPlayer('keys_player.py', [server.url, name, mode], { env: keys });

    expect(played).toEqual({ exitCode: 0, lines: ['ok with_key', 'ok without_key'] });
  });
});
