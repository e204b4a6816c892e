import { isRecord, previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import { applies, ensure } from '../../verdict.ts';
import { blocksOf, sharedOutput } from './reading.ts';

/** The blocks of an output; those of prompts are looked at with the prompts. */
export const blockChecks: readonly Check[] = [
  {
    id: 'type/block-type',
    title: "A block's type is exactly text or image",
    requirement: 'ORS-TYPE-007',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const other = blocksOf(await sharedOutput(probe)).find(({ type }) => type !== 'text' && type !== 'image');
      ensure(other === undefined, `a block has the type ${previewJson(other?.type)}`);
    },
  },
  {
    id: 'type/text-block',
    title: 'A text block has a string text',
    requirement: 'ORS-TYPE-002',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const texts = blocksOf(await sharedOutput(probe)).filter(({ type }) => type === 'text');
      applies(texts.length > 0, 'the call gave no text block');
      const wrong = texts.find(({ text }) => typeof text !== 'string');
      ensure(wrong === undefined, `a text block is ${previewJson(wrong)}`);
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
        ...blocksOf(await sharedOutput(probe)),
        ...(Array.isArray(prompt) ? prompt.filter(isRecord) : []),
      ];
      const wrong = blocks.find(({ type, detail = null }) => type === 'text' && detail !== null && !isRecord(detail));
      ensure(wrong === undefined, `the detail of a text block is ${previewJson(wrong?.detail)}`);
    },
  },
];
