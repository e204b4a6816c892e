import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { describeUnless } from '../support/optional.ts';
import { type Cluster, ENGINES, type EngineUnderTest, startCluster } from './cluster.ts';
import { missing } from './programs.ts';

const signal = ({ nodes }: Cluster, name: 'SIGSTOP' | 'SIGCONT') => {
  for (const { command } of nodes.all) command.child.kill(name);
};

describe.each(ENGINES)('behind $name', (engine: EngineUnderTest) => {
  describeUnless(missing(engine.program, `busy nodes behind ${engine.name}`))('with three nodes', () => {
    test('waits for nodes that are suspended for three seconds; they reject no session', async () => {
      await using cluster = await startCluster(engine);
      const { players } = cluster;

      signal(cluster, 'SIGSTOP');
      await delay(2_500);
      const entering = players.enter(20);
      await delay(500);
      signal(cluster, 'SIGCONT');
      const all = await entering;

      expect(await players.count(all)).toMatchObject({ lost: [], wrong: [] });
      expect(players.refusals()).toEqual([]);
    });
  });
});
