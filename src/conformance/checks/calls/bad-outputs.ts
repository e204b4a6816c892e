import { previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Answer, Probe } from '../../probe/index.ts';
import { ensure } from '../../verdict.ts';
import { blocksOf } from './reading.ts';

/**
 * The output that a server makes of one that no server may pass on; undefined where it reports a failure instead, which
 * is as good.
 */
async function outputMadeOf(kind: string, probe: Probe): Promise<Record<string, unknown> | undefined> {
  const answer: Answer = await (await probe.episode()).call('bad_output', { kind });
  return answer.failure === undefined ? answer.output : undefined;
}

const once = { profile: 'full', needs: ['fixture:bad_output'], cost: { sessions: 1, calls: 1 } } as const;

export const badOutputChecks: readonly Check[] = [
  {
    id: 'call/no-blocks',
    title: 'An output without blocks is not passed on unchanged',
    requirement: 'ORS-CALL-006',
    ...once,
    async run(probe) {
      const output = await outputMadeOf('no_blocks', probe);
      if (output) ensure(blocksOf(output).length > 0, `blocks arrived as ${previewJson(output.blocks)}`);
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
        const answer = await episode.call('bad_output', { kind });
        const { resultText } = answer;
        ensure(
          resultText === undefined || answer.result !== undefined,
          `'${kind}' arrived as ${resultText}, which is no JSON`,
        );
        if (answer.failure !== undefined) continue;
        const { reward = null } = answer.output;
        // JSON itself can hold a number that is beyond all numbers.
        ensure(reward === null || Number.isFinite(reward), `'${kind}' arrived as the reward ${previewJson(reward)}`);
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
      const other = output && blocksOf(output).find(({ type }) => type !== 'text' && type !== 'image');
      ensure(other === undefined, `a block of type ${previewJson(other?.type)} arrived`);
    },
  },
  {
    id: 'type/no-text',
    title: 'A text block without a text is not passed on unchanged',
    requirement: 'ORS-TYPE-002',
    ...once,
    async run(probe) {
      const output = await outputMadeOf('no_text', probe);
      const wrong = output && blocksOf(output).find(({ type, text }) => type === 'text' && typeof text !== 'string');
      ensure(wrong === undefined, `a text block arrived as ${previewJson(wrong)}`);
    },
  },
];
