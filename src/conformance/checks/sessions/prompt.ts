import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { ONE_PIXEL_PNG } from '../calls/values.ts';

const sharedPrompt = async (probe: Probe): Promise<ProbeResponse> => (await probe.sharedEpisode()).prompt();

/** The blocks of a prompt as far as they are objects; untestable if there is no list of them. */
function blocksOf(response: ProbeResponse): Record<string, unknown>[] {
  const { json } = response.requireSuccess('/prompt');
  assume(Array.isArray(json), `/prompt gave ${response.summary}`);
  return json.filter(isRecord);
}

function isBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  if (block.type === 'text') return typeof block.text === 'string';
  return block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string';
}

export const promptChecks: readonly ConformanceCheck[] = [
  {
    id: 'episode/prompt-blocks',
    title: 'GET /prompt answers an array of blocks, each a text with text or an image with data and mimeType',
    requirement: 'ORS-EPI-001',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const response = await sharedPrompt(probe);
      assertConforms(response.isSuccess && Array.isArray(response.json), `/prompt gave ${response.summary}`);
      const wrong = response.json.find((block) => !isBlock(block));
      assertConforms(wrong === undefined, `a block of the prompt is ${previewJson(wrong)}`);
    },
  },
  {
    id: 'episode/prompt-detail',
    title: 'Every block of a prompt has detail, which may be null',
    requirement: 'ORS-EPI-002',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const wrong = blocksOf(await sharedPrompt(probe)).find(({ detail }) => detail === undefined);
      assertConforms(wrong === undefined, `a block of the prompt has no detail: ${previewJson(wrong)}`);
    },
  },
  {
    id: 'episode/prompt-repeats',
    title: 'GET /prompt returns the same blocks each time, also after a call',
    requirement: 'ORS-EPI-003',
    profile: 'core',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const episode = await probe.episode();
      const first = blocksOf(await episode.prompt());
      const second = blocksOf(await episode.prompt());
      assertConforms(
        equalJson(first, second),
        `the prompt was ${previewJson(first)}, asked again ${previewJson(second)}`,
      );
      await episode.call(tool.name, input);
      const third = blocksOf(await episode.prompt());
      assertConforms(
        equalJson(first, third),
        `the prompt was ${previewJson(first)}, after a call of '${tool.name}' ${previewJson(third)}`,
      );
    },
  },
  {
    id: 'episode/prompt-other-path',
    title: "GET /prompt under another environment's name returns the prompt of the session",
    requirement: 'ORS-EPI-007',
    profile: 'core',
    needs: ['task', 'environments'],
    async run(probe) {
      const episode = await probe.sharedEpisode();
      const own = (await episode.prompt()).requireSuccess('/prompt');
      const other = probe.target.other ?? '';
      const response = await probe.send('GET', probe.path('prompt', other), { sid: episode.sid });
      assertConforms(
        response.isSuccess,
        `/prompt under the name of the environment '${other}' gave ${response.summary}`,
      );
      // Should calls change the prompt, then one may have done so in the meantime.
      const later = await episode.prompt();
      const isOwn = [own, later].some(({ json }) => equalJson(response.json, json));
      assertConforms(
        isOwn,
        `/prompt under the name of '${other}' gave ${response.summary}, under its own ${own.summary}`,
      );
    },
  },
  {
    id: 'episode/prompt-fails',
    title: "When an environment's prompt fails, the answer is 500 with a JSON detail",
    requirement: 'ORS-EPI-008',
    profile: 'full',
    needs: ['fixture'],
    cost: { sessions: 1 },
    async run(probe) {
      const response = await (await probe.episode({ task: { prompt_fail: 'no words' } })).prompt();
      const { status, json } = response;
      const isTold = isRecord(json) && json.detail !== undefined && json.detail !== '';
      assertConforms(status === 500 && isTold, `the environment's prompt failed, and /prompt gave ${response.summary}`);
    },
  },
  {
    id: 'episode/prompt-order',
    title: 'A prompt of text, image and text arrives whole and in that order',
    requirement: 'ORS-EPI-014',
    profile: 'full',
    needs: ['fixture'],
    cost: { sessions: 1 },
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'picture', prompt_image: true } });
      const blocks = blocksOf(await episode.prompt());
      const kinds = blocks.map(({ type, text, mimeType }) => `${type} ${text ?? mimeType}`).join(', ');
      const expected = 'text Conformance task picture., image image/png, text Look.';
      assertConforms(kinds === expected, `the blocks of the prompt were ${kinds}; sent were ${expected}`);
      assertConforms(blocks[1]?.data === ONE_PIXEL_PNG, `the data of the image were ${previewJson(blocks[1]?.data)}`);
    },
  },
];
