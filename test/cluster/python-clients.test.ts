import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { clients, describeWithPython, runPlayer } from '../interop/python.ts';
import { startDurableNodes } from '../torture/durable-nodes.ts';
import { ENGINES } from './cluster.ts';
import { missing } from './programs.ts';
import { startProxy } from './proxies.ts';

const NODES = 2;
/** Time between the return of a node and the end of the other one. */
const PAUSE_MS = 2_000;

const [engine] = ENGINES;
const reasonToSkip = engine ? missing(engine.program, 'Python clients behind a proxy') : 'no proxy';

describeWithPython(reasonToSkip)('every Python client, with and without asyncio,', () => {
  test('plays on while servers with a journal are killed, and gets each result and reward once', async () => {
    if (!engine) throw new Error('no engine');
    const folder = await mkdtemp(join(tmpdir(), 'ors-kit-durable-'));
    await using nodes = await startDurableNodes(NODES, join(folder, 'episodes.db'));
    await using proxy = await startProxy(engine.program, nodes.addresses, engine.configure);
    let kills = 0;
    let isPlaying = true;
    const playing = Promise.all(
      clients.map(async ({ name, mode }) => ({
        ...{ name, mode },
        ...(await runPlayer('durable_player.py', [proxy.url, name, mode])),
      })),
    ).finally(() => {
      isPlaying = false;
    });

    // A call takes up to 400 ms, so that some run while their server is killed.
    for (await delay(PAUSE_MS); isPlaying; await delay(PAUSE_MS)) await nodes.kill(kills % NODES, () => kills++);

    process.stderr.write(`Python clients: ${kills} kills while they played\n`);
    const lines = ['ok replayed', 'ok saved'];
    expect(await playing).toEqual(clients.map((client) => ({ ...client, exitCode: 0, lines })));
    expect(kills).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  });
});
