import { describe, expect, test } from '@jest/globals';
import { type Answer, request } from '../support/client.ts';
import { describeUnless } from '../support/optional.ts';
import { type Cluster, ENGINES, type EngineUnderTest, startCluster } from './cluster.ts';
import { inTurns } from './players.ts';
import { missing } from './programs.ts';

const PER_NODE = 20;
/** The capacity of the cluster, and a number of sessions far above it. */
const PLACES = 3 * PER_NODE;
const WANTED = 160;
/** Not all places at once: the proxy does not count who is where. */
const LATER = 48;
const SMALL = [process.execPath, 'test/cluster/small-node.mjs', String(PER_NODE)];

/** Asks for an id and creates an episode under it, without trying again. */
async function create({ proxy }: Cluster): Promise<Answer & { sid: string }> {
  const { sid } = (await request(proxy, 'POST', '/create_session')).body;
  return { sid, ...(await request(proxy, 'POST', '/create', { sid, body: { split: 'train', index: 0 } })) };
}

describe.each(ENGINES)('behind $name', (engine: EngineUnderTest) => {
  describeUnless(missing(engine.program, `a full cluster behind ${engine.name}`))('with three nodes', () => {
    test('accepts sessions up to its capacity and rejects the others with Retry-After', async () => {
      await using cluster = await startCluster(engine, SMALL);

      const answers = await inTurns(Array.from({ length: WANTED }), () => create(cluster), WANTED);
      const taken = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      await inTurns(taken, ({ sid }) => request(cluster.proxy, 'POST', '/delete', { sid }));
      const again = await inTurns(Array.from({ length: LATER }), () => create(cluster));

      const admitted = again.filter(({ status }) => status === 200).length;
      cluster.note(
        `${WANTED} sessions for ${PLACES} places: ${taken.length} taken, ${refused.length} refused; ` +
          `when they are over ${admitted} of ${LATER} taken`,
      );
      expect(taken.length).toBe(PLACES);
      expect(admitted).toBe(LATER);
      for (const { status, headers, body } of refused) {
        expect(status).toBe(503);
        expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(body.detail).toContain(`${PER_NODE}`);
      }
    });
  });
});
