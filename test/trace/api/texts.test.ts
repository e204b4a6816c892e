import { afterEach, expect, test } from '@jest/globals';
import { stitch } from '../../../src/trace/model/index.ts';
import fc, { runs, unicode } from '../../support/fast-check.ts';
import { closeServers, startConversation } from './server.ts';

afterEach(closeServers);

const BLOCKS = 'traces/tr_test/blocks';

test('returns any blocks as they were written, one by one, in lists and in trees', async () => {
  const { get, post } = await startConversation();
  const unusual = fc.oneof(unicode(), fc.constantFrom('"', '\\"', '"quoted"', '\u0000', '{}'));
  await fc.assert(
    fc.asyncProperty(unusual, fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), async (text, raw, extra) => {
      const id = `tb_${crypto.randomUUID()}`;
      const result = {
        sub_type: 'TOOL_RESULT',
        parent_block_id: 'tb_call123',
        payload: { output: { text } },
        raw,
        extra,
      };
      const written = await post(BLOCKS, { id, ...JSON.parse(JSON.stringify(result)) });
      if (written.status !== 201) return;

      const { json: block } = await get(`${BLOCKS}/${id}`);
      const { json: list } = await get(`${BLOCKS}?limit=1000`);
      const { json: tree } = await get(`${BLOCKS}.stitched?assemble=true`);

      expect(list.blocks.at(-1)).toEqual(block);
      expect({ messages: tree.messages, orphans: tree.orphans }).toEqual(stitch(list.blocks, { assemble: true }));
    }),
    { numRuns: runs(15) },
  );
});

test('returns the same skeletons in trees and lists', async () => {
  const { get, post } = await startConversation();
  const preview = '"begins with a quote", and has \ud83d\ude00 and \u0000';
  await post(BLOCKS, { sub_type: 'THINK', parent_block_id: 'tb_msg123', payload: { text: preview } });

  const { json: list } = await get(`${BLOCKS}?fields=skeleton`);
  const { json: tree } = await get(`${BLOCKS}.stitched?fields=skeleton`);

  expect(list.blocks.at(-1).preview).toBe(preview);
  expect(tree.messages[0].thinks).toEqual(list.blocks.slice(-1));
});
