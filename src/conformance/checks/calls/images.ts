import { equalJson, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { outputBlocks, outputText } from './reading.ts';
import { IMAGE_METADATA, ONE_PIXEL_PNG } from './values.ts';

async function imageOutput(probe: Probe): Promise<Record<string, unknown>> {
  return (await (await probe.episode()).call('image')).output;
}

/** The block between the two texts, whatever it is. */
async function imageBlock(probe: Probe): Promise<Record<string, unknown>> {
  const block = outputBlocks(await imageOutput(probe)).find(({ type }) => type !== 'text');
  assume(block, "the output of 'image' has texts alone");
  return block;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of an image, whichever way its text says them. */
const bytesOf = (data: unknown) => Buffer.from(String(data).replace(/^data:[^,]*,/, ''), 'base64');

const once = { profile: 'full', needs: ['fixture:image'], cost: { sessions: 1, calls: 1 } } as const;

export const imageChecks: readonly ConformanceCheck[] = [
  {
    id: 'type/image-block',
    title: 'An image is a block of type image with a string data',
    requirement: 'ORS-TYPE-004',
    ...once,
    async run(probe) {
      const block = await imageBlock(probe);
      assertConforms(block.type === 'image', `the type of the image's block was ${previewJson(block.type)}`);
      assertConforms(typeof block.data === 'string', `the image has no text as its data, but ${previewJson(block)}`);
    },
  },
  {
    id: 'type/image-base64',
    title: "An image's data is base64, and nothing else",
    requirement: 'ORS-TYPE-005',
    ...once,
    async run(probe) {
      const { data } = await imageBlock(probe);
      assume(typeof data === 'string', 'the image has no data');
      assertConforms(data !== '' && BASE64.test(data), `the image's data was ${previewJson(data)}`);
    },
  },
  {
    id: 'type/image-mime-type',
    title: 'An image names its media type in mimeType',
    requirement: 'ORS-TYPE-006',
    ...once,
    async run(probe) {
      const { mimeType, ...others } = await imageBlock(probe);
      assertConforms(
        mimeType === 'image/png',
        `mimeType was ${previewJson(mimeType)} beside ${Object.keys(others).join(', ')}`,
      );
    },
  },
  {
    id: 'call/mixed-blocks',
    title: 'Texts and images of one output arrive together and in order',
    requirement: 'ORS-CALL-041',
    ...once,
    async run(probe) {
      const blocks = outputBlocks(await imageOutput(probe));
      const seen = blocks.map(({ type, text }) => (type === 'text' ? String(text) : 'image'));
      assertConforms(
        seen.join() === 'before,image,after',
        `instead of before, image, after came ${seen.join(', ') || 'nothing'}`,
      );
    },
  },
  {
    id: 'call/exact-content',
    title: 'An image, metadata and text outside of ASCII arrive as the tool returned them',
    requirement: 'ORS-CALL-020',
    profile: 'full',
    needs: ['fixture:image', 'fixture:echo'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      const { output } = await episode.call('image');
      const { metadata } = output;
      const data = outputBlocks(output).find((block) => block.data !== undefined)?.data;
      assume(data !== undefined, 'no block has data');
      assertConforms(bytesOf(data).equals(bytesOf(ONE_PIXEL_PNG)), `the image arrived as ${previewJson(data)}`);
      assertConforms(equalJson(metadata, IMAGE_METADATA), `the metadata arrived as ${previewJson(metadata)}`);
      const text = 'e\u0301 \u00df \u2603 \u65e5\u672c \u{1F600} \u05d0\u0301';
      const echoed = outputText(await episode.call('echo', { text }));
      assertConforms(echoed === text, `the text ${previewJson(text)} arrived as ${previewJson(echoed)}`);
    },
  },
];
