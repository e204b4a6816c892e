import { describeUnless } from '../../support/optional.ts';
import { testBlocks } from './contract/blocks.ts';
import { testFind } from './contract/find.ts';
import { testGroups } from './contract/groups.ts';
import { testInbox } from './contract/inbox.ts';
import { testLists } from './contract/lists.ts';
import { testTraces } from './contract/traces.ts';
import { testTree } from './contract/tree.ts';
import { testVault } from './contract/vault.ts';
import type { OpenStore } from './stores.ts';

const writing = [testTraces, testBlocks, testVault, testInbox];
const reading = [testFind, testLists, testGroups, testTree];

interface StoreSuite {
  /** Why the store cannot be tested here. */
  readonly missing?: string | undefined;
  /** False for a store whose reads are those of another suite. @default true */
  readonly isRead?: boolean;
}

/** Tests what every trace store does, whatever it keeps its traces in. */
export function describeStore(name: string, open: OpenStore, { missing, isRead = true }: StoreSuite = {}): void {
  describeUnless(missing)(name, () => {
    for (const testPart of [...writing, ...(isRead ? reading : [])]) testPart(open);
  });
}
