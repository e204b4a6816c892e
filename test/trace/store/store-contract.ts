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

/** What every trace store does, whatever it keeps its traces in. @param missing why it cannot be tried here. */
export function describeStore(name: string, open: OpenStore, missing?: string): void {
  describeUnless(missing)(name, () => {
    testTraces(open);
    testBlocks(open);
    testFind(open);
    testLists(open);
    testGroups(open);
    testVault(open);
    testInbox(open);
    testTree(open);
  });
}
