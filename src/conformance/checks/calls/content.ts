import { equalJson, fieldsOf, previewJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assumeEventStream, IMAGE_METADATA, ONE_PIXEL_PNG, outputBlocks, requireText } from '../responses.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const contentChecks = defineChecks({ profile: 'full' }, [
  fixtureCheck({
    id: 'type/image-block',
    title: 'An image is a block of type image with string data',
    requirement: 'ORS-TYPE-004',
    tools: ['image'],
    async run(probe) {
      const block = await imageBlock(probe);
      assertConforms(block.type === 'image', `the type of the image's block was ${previewJson(block.type)}`);
      assertConforms(typeof block.data === 'string', `the data of the image is not a string: ${previewJson(block)}`);
    },
  }),
  fixtureCheck({
    id: 'type/image-base64',
    title: "An image's data is plain base64",
    requirement: 'ORS-TYPE-005',
    tools: ['image'],
    async run(probe) {
      const { data } = await imageBlock(probe);
      assume(typeof data === 'string', 'the image has no data');
      assertConforms(data !== '' && BASE64.test(data), `the image's data was ${previewJson(data)}`);
    },
  }),
  fixtureCheck({
    id: 'type/image-mime-type',
    title: 'An image names its media type in mimeType',
    requirement: 'ORS-TYPE-006',
    tools: ['image'],
    async run(probe) {
      const { mimeType, ...others } = await imageBlock(probe);
      const names = Object.keys(others).join(', ');
      assertConforms(mimeType === 'image/png', `mimeType was ${previewJson(mimeType)}; the other fields are ${names}`);
    },
  }),
  fixtureCheck({
    id: 'call/mixed-blocks',
    title: 'Texts and images of one output arrive together and in order',
    requirement: 'ORS-CALL-041',
    tools: ['image'],
    async run(probe) {
      const blocks = outputBlocks(await imageOutput(probe));
      const kinds = blocks.map(({ type, text }) => (type === 'text' ? String(text) : 'image')).join(', ');
      assertConforms(kinds === 'before, image, after', `expected before, image, after, got ${kinds || 'nothing'}`);
    },
  }),
  fixtureCheck({
    id: 'call/exact-content',
    title: 'An image, metadata and non-ASCII text arrive as the tool returned them',
    requirement: 'ORS-CALL-020',
    tools: ['image', 'echo'],
    calls: 2,
    async play(episode) {
      const { output } = await episode.call('image');
      const { metadata } = output;
      const data = outputBlocks(output).find((block) => block.data !== undefined)?.data;
      assume(data !== undefined, 'no block has data');
      assertConforms(bytesOf(data).equals(bytesOf(ONE_PIXEL_PNG)), `the image arrived as ${previewJson(data)}`);
      assertConforms(equalJson(metadata, IMAGE_METADATA), `the metadata arrived as ${previewJson(metadata)}`);
      const text = 'e\u0301 \u00df \u2603 \u65e5\u672c \u{1F600} \u05d0\u0301';
      const echoed = requireText(await episode.call('echo', { text }));
      assertConforms(echoed === text, `the text ${previewJson(text)} arrived as ${previewJson(echoed)}`);
    },
  }),
  fixtureCheck({
    id: 'call/odd-text',
    title: 'Texts with control characters and surrogates arrive as JSON, or the call is reported as failed',
    requirement: 'ORS-CALL-024',
    tools: ['odd_text'],
    calls: 4,
    async play(episode) {
      for (const kind of [...Object.keys(ODD), 'surrogate']) {
        const response = await episode.start('odd_text', { kind }).end();
        assumeEventStream(response);
        const what = `the text '${kind}'`;
        const isReported = response.streamError !== undefined || response.result !== undefined;
        assertConforms(isReported, `${what} returned ${response.summary}`);
        if (response.failure !== undefined || ODD[kind] === undefined) continue;
        const text = requireText(response);
        assertConforms(text === ODD[kind], `${what}, ${previewJson(ODD[kind])}, arrived as ${previewJson(text)}`);
      }
    },
  }),
  fixtureCheck({
    id: 'type/any-json',
    title: 'Any JSON in an input, a task and metadata arrives unchanged',
    requirement: 'ORS-TYPE-001',
    tools: ['echo', 'show_task'],
    calls: 2,
    async run(probe) {
      const task = { id: 'any-json', any: ANY_JSON };
      const episode = await probe.episode({ task });
      const assertArrived = (what: string, sent: unknown, arrived: unknown) => {
        const message = `the ${what} ${JSON.stringify(sent)} arrived as ${JSON.stringify(arrived)}`;
        assertConforms(equalJson(arrived, sent), message);
      };
      const { metadata } = (await episode.call('echo', { text: 'any', metadata: ANY_JSON })).output;
      assertArrived('metadata', ANY_JSON, metadata);
      const { metadata: shown } = (await episode.call('show_task')).output;
      assertArrived('task', task, fieldsOf(shown).task);
    },
  }),
  fixtureCheck({
    id: 'call/no-blocks',
    title: 'An output without blocks is not passed on unchanged',
    requirement: 'ORS-CALL-006',
    tools: ['bad_output'],
    async run(probe) {
      const output = await outputMadeOf('no_blocks', probe);
      if (output) assertConforms(outputBlocks(output).length > 0, `blocks arrived as ${previewJson(output.blocks)}`);
    },
  }),
  fixtureCheck({
    id: 'call/bad-reward',
    title: 'A reward that is not a finite number is not passed on unchanged',
    requirement: 'ORS-CALL-007',
    tools: ['bad_output'],
    calls: 3,
    async play(episode) {
      for (const kind of ['nan_reward', 'infinite_reward', 'text_reward']) {
        const response = await episode.call('bad_output', { kind });
        const { resultText, result } = response;
        const isValid = resultText === undefined || result !== undefined;
        assertConforms(isValid, `'${kind}' arrived as ${resultText}, which is not valid JSON`);
        if (response.failure !== undefined) continue;
        const { reward = null } = response.output;
        // JSON such as 1e400 parses as Infinity.
        const isRight = reward === null || Number.isFinite(reward);
        assertConforms(isRight, `'${kind}' arrived as the reward ${previewJson(reward)}`);
      }
    },
  }),
  fixtureCheck({
    id: 'type/unknown-block',
    title: 'A block of an unknown type is not passed on unchanged',
    requirement: 'ORS-TYPE-007',
    tools: ['bad_output'],
    async run(probe) {
      const output = await outputMadeOf('unknown_block', probe);
      const other = output && outputBlocks(output).find(({ type }) => type !== 'text' && type !== 'image');
      assertConforms(other === undefined, `a block of type ${previewJson(other?.type)} arrived`);
    },
  }),
  fixtureCheck({
    id: 'type/no-text',
    title: 'A text block without text is not passed on unchanged',
    requirement: 'ORS-TYPE-002',
    tools: ['bad_output'],
    async run(probe) {
      const output = await outputMadeOf('no_text', probe);
      const wrong =
        output && outputBlocks(output).find(({ type, text }) => type === 'text' && typeof text !== 'string');
      assertConforms(wrong === undefined, `a text block arrived as ${previewJson(wrong)}`);
    },
  }),
]);

async function imageOutput(probe: Probe): Promise<Record<string, unknown>> {
  return (await (await probe.episode()).call('image')).output;
}

/** Returns the block between the two texts, of any type. */
async function imageBlock(probe: Probe): Promise<Record<string, unknown>> {
  const block = outputBlocks(await imageOutput(probe)).find(({ type }) => type !== 'text');
  assume(block, "the output of 'image' has only text blocks");
  return block;
}

/** Returns the bytes of an image, from base64 or a data URL. */
const bytesOf = (data: unknown) => Buffer.from(String(data).replace(/^data:[^,]*,/, ''), 'base64');

/** Texts that `odd_text` returns, by kind. */
const ODD: Readonly<Record<string, string>> = {
  nul: 'a\u0000b',
  separators: 'a\u2028b\u2029c',
  crlf: 'a\r\nb\rc\n',
};

/** JSON values of every type, some of them nested. */
const ANY_JSON = {
  '': 'an empty key',
  'a b/c~d"e': [],
  text: '',
  numbers: [0, -1, 1.5, 1e-7, 1e21, 9_007_199_254_740_991],
  others: [null, true, false, {}, [[], [[]]]],
  deep: { list: [{ list: [{ list: [{ value: null }] }] }] },
  unicode: 'snow \u2603 \u{1F600}',
};

/** Returns the output that the server makes of an invalid one; undefined if it reports a failure, which is allowed. */
async function outputMadeOf(kind: string, probe: Probe): Promise<Record<string, unknown> | undefined> {
  const response: ProbeResponse = await (await probe.episode()).call('bad_output', { kind });
  return response.failure === undefined ? response.output : undefined;
}
