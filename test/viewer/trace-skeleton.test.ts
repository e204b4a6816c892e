import { expect, test } from '@jest/globals';
import { serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { skeletonOf } from '../../src/viewer/page/trace/skeleton-of.ts';
import { fillSample } from './sample.ts';

test('the outline that the page makes of a block is the one that the store gives', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });
  await fillSample(server.url, { steps: 1, longBlocks: 40 });

  for (const id of ['tr_odd', 'tr_long', 'tr_sample_0_1_4']) {
    const blocks = await store.blocks('default', id);
    const outlines = await store.skeletons('default', id);

    expect(blocks.length).toBeGreaterThan(9);
    expect(blocks.map(({ block }) => skeletonOf(block))).toEqual(outlines.map(({ block }) => block));
  }
});
