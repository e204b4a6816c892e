import { previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { outputBlocks } from './reading.ts';

/**
 * The output that a server makes of one that no server may pass on; undefined where it reports a failure instead, which
 * is as good.
 */
async function outputMadeOf(kind: string, probe: Probe): Promise<Record<string, unknown> | undefined> {
  const response: ProbeResponse = await (await probe.episode()).call('bad_output', { kind });
  return response.failure === undefined ? response.output : undefined;
}

const once = { profile: 'full', needs: ['fixture:bad_output'], cost: { sessions: 1, calls: 1 } } as const;

export const badOutputChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/no-blocks',
    title: 'An output without blocks is not passed on unchanged',
    requirement: 'ORS-CALL-006',
    ...once,
    async run(probe) {
      const output = await outputMadeOf('no_blocks', probe);
      if (output) assertConforms(outputBlocks(output).length > 0, `blocks arrived as ${previewJson(output.blocks)}`);
    },
  },
  {
    id: 'call/bad-reward',
    title: 'A reward that is not a finite number is not passed on unchanged',
    requirement: 'ORS-CALL-007',
    profile: 'full',
    needs: ['fixture:bad_output'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      for (const kind of ['nan_reward', 'infinite_reward', 'text_reward']) {
        const response = await episode.call('bad_output', { kind });
        const { resultText } = response;
        assertConforms(
          resultText === undefined || response.result !== undefined,
          `'${kind}' arrived as ${resultText}, which is no JSON`,
        );
        if (response.failure !== undefined) continue;
        const { reward = null } = response.output;
        // JSON itself can hold a number that is beyond all numbers.
        assertConforms(
          reward === null || Number.isFinite(reward),
          `'${kind}' arrived as the reward ${previewJson(reward)}`,
        );
      }
    },
  },
  {
    id: 'type/unknown-block',
    title: 'A block of an unknown type is not passed on unchanged',
    requirement: 'ORS-TYPE-007',
    ...once,
    async run(probe) {
      const output = await outputMadeOf('unknown_block', probe);
      const other = output && outputBlocks(output).find(({ type }) => type !== 'text' && type !== 'image');
      assertConforms(other === undefined, `a block of type ${previewJson(other?.type)} arrived`);
    },
  },
  {
    id: 'type/no-text',
    title: 'A text block without a text is not passed on unchanged',
    requirement: 'ORS-TYPE-002',
    ...once,
    async run(probe) {
      const output = await outputMadeOf('no_text', probe);
      const wrong =
        output && outputBlocks(output).find(({ type, text }) => type === 'text' && typeof text !== 'string');
      assertConforms(wrong === undefined, `a text block arrived as ${previewJson(wrong)}`);
    },
  },
];
