import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { sharedOutput } from './reading.ts';

/** The fields of an output. */
export const outputChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/output',
    title: 'An output has an array of blocks and a boolean finished',
    requirement: 'ORS-CALL-004',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { blocks, finished } = await sharedOutput(probe);
      assertConforms(Array.isArray(blocks), `blocks was ${previewJson(blocks)}`);
      assertConforms(typeof finished === 'boolean', `finished was ${previewJson(finished)}`);
    },
  },
  {
    id: 'call/nullable-keys',
    title: 'An output has the keys metadata and reward, even if they are null',
    requirement: 'ORS-CALL-005',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const output = await sharedOutput(probe);
      const missing = ['metadata', 'reward'].filter((key) => !Object.hasOwn(output, key));
      assertConforms(missing.length === 0, `the output has no ${missing.join(' and no ')}: ${previewJson(output)}`);
    },
  },
  {
    id: 'call/blocks-not-empty',
    title: 'An output has at least one block',
    requirement: 'ORS-CALL-006',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { blocks } = await sharedOutput(probe);
      assume(Array.isArray(blocks), 'the output has no array of blocks');
      assertConforms(blocks.length > 0, 'the output has no block');
    },
  },
  {
    id: 'call/reward-type',
    title: 'A reward is a number or null',
    requirement: 'ORS-CALL-007',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { reward = null } = await sharedOutput(probe);
      assertConforms(reward === null || typeof reward === 'number', `the reward was ${previewJson(reward)}`);
    },
  },
  {
    id: 'type/metadata',
    title: "An output's metadata is an object, null or absent",
    requirement: 'ORS-TYPE-019',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { metadata = null } = await sharedOutput(probe);
      assertConforms(metadata === null || isRecord(metadata), `metadata was ${previewJson(metadata)}`);
    },
  },
  {
    id: 'call/finished-default',
    title: 'finished is false if a tool does not set it',
    requirement: 'ORS-CALL-033',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { output } = await (await probe.episode()).call('count');
      assertConforms(
        output.finished === false,
        `finished was ${previewJson(output.finished)} in the output of 'count'`,
      );
    },
  },
];
