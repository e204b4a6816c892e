import { describe, test } from '@jest/globals';
import { describeUnless } from '../support/optional.ts';
import { ENGINES, type EngineUnderTest, startCluster } from './cluster.ts';
import { missing } from './programs.ts';
import { addNode, drain, forget, kill, restartNode, restartProxy, spread } from './steps.ts';
import { firstBytes, silence } from './streams.ts';

const SESSIONS = 180;

describe.each(ENGINES)('behind $name', (engine: EngineUnderTest) => {
  describeUnless(missing(engine.program, `a cluster behind ${engine.name}`))('with three nodes', () => {
    test('sessions stay with their node while others come, drain, die and come back', async () => {
      await using cluster = await startCluster(engine);

      const first = await spread(cluster, SESSIONS);
      await firstBytes(cluster, first);
      const [quiet, ...others] = first;
      if (!quiet) throw new Error('no players');
      const [second] = await Promise.all([addNode(cluster, others), silence(cluster, quiet)]);
      const third = await drain(cluster, [quiet, ...second]);
      const victim = third.find((player) => cluster.of(cluster.node('0001'), [player]).length > 0);
      const fourth = await kill(cluster, third);
      if (!victim) throw new Error('node 0001 has no session');
      await restartNode(cluster, victim, fourth);
      await (engine.forgets ? forget : restartProxy)(cluster, fourth);
    });
  });
});
