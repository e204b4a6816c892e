import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { outputBlocks, sharedOutput } from './reading.ts';

/** The blocks of an output; those of prompts are looked at with the prompts. */
export const blockChecks: readonly ConformanceCheck[] = [
  {
    id: 'type/block-type',
    title: "A block's type is exactly text or image",
    requirement: 'ORS-TYPE-007',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const other = outputBlocks(await sharedOutput(probe)).find(({ type }) => type !== 'text' && type !== 'image');
      assertConforms(other === undefined, `a block has the type ${previewJson(other?.type)}`);
    },
  },
  {
    id: 'type/text-block',
    title: 'A text block has a string text',
    requirement: 'ORS-TYPE-002',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const texts = outputBlocks(await sharedOutput(probe)).filter(({ type }) => type === 'text');
      assumeApplicable(texts.length > 0, 'the call gave no text block');
      const wrong = texts.find(({ text }) => typeof text !== 'string');
      assertConforms(wrong === undefined, `a text block is ${previewJson(wrong)}`);
    },
  },
  {
    id: 'type/detail',
    title: 'The detail of a text block, if present, is an object',
    requirement: 'ORS-TYPE-003',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const prompt = (await (await probe.sharedEpisode()).prompt()).json;
      const blocks = [
        ...outputBlocks(await sharedOutput(probe)),
        ...(Array.isArray(prompt) ? prompt.filter(isRecord) : []),
      ];
      const wrong = blocks.find(({ type, detail = null }) => type === 'text' && detail !== null && !isRecord(detail));
      assertConforms(wrong === undefined, `the detail of a text block is ${previewJson(wrong?.detail)}`);
    },
  },
];
