import { describeUnless } from '../../support/optional.ts';
import { testBlocks } from './contract/blocks.ts';
import { testEventTimes } from './contract/event-times.ts';
import { testExactJson } from './contract/exact-json.ts';
import { testGroups } from './contract/groups.ts';
import { testKeysAndBlobs } from './contract/keys-and-blobs.ts';
import { testLists } from './contract/lists.ts';
import { testParents } from './contract/parents.ts';
import { testQueries } from './contract/query.ts';
import { testRolloutEvents } from './contract/rollout-events.ts';
import { testScores } from './contract/scores.ts';
import { testSearch } from './contract/search.ts';
import { testSharedWrites } from './contract/shared-writes.ts';
import { testTraces } from './contract/traces.ts';
import { testTree } from './contract/tree.ts';
import type { OpenStore } from './stores.ts';

const parts = [
  testTraces,
  testBlocks,
  testExactJson,
  testEventTimes,
  testParents,
  testKeysAndBlobs,
  testRolloutEvents,
  testScores,
  testSearch,
  testQueries,
  testLists,
  testGroups,
  testTree,
  testSharedWrites,
];

interface StoreSuite {
  /** Reason why the store cannot be tested here. */
  readonly missing?: string | undefined;
}

/** Tests the behavior of every trace store. */
export function describeStore(name: string, open: OpenStore, { missing }: StoreSuite = {}): void {
  describeUnless(missing)(name, () => {
    for (const testPart of parts) testPart(open);
  });
}
