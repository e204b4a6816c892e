import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { defineEnvironment, image } from 'ors-kit';
import { type LanguageModel, modelAgent } from '../../../src/rollout/index.ts';
import { playEpisode } from './stage.ts';

const pictures = defineEnvironment({
  name: 'pictures',
  splits: { train: [{}] },
  prompt: () => [image('AAAA', 'image/png')],
  tools: { look: { description: 'Look.', run: () => ({ blocks: [image('BBBB', 'image/jpg')] }) } },
});

const finish = (unified: string) => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
});
const look = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '' };

async function* inTurn(parts: readonly object[]) {
  yield* parts;
}

/** Creates a model that returns these streams in order, and records the requests. */
function scripted(provider: string, streams: readonly (readonly object[])[]) {
  const left = [...streams];
  const asked: unknown[] = [];
  const doStream = async ({ prompt }: { prompt: unknown[] }) => {
    asked.push(structuredClone(prompt));
    const parts = [{ type: 'stream-start', warnings: [] }, ...(left.shift() ?? [finish('stop')])];
    return { stream: inTurn(parts) };
  };
  const model: LanguageModel = {
    specificationVersion: 'v4',
    provider,
    modelId: 'm',
    doStream,
    doGenerate: () => Promise.reject(new Error('unexpected call')),
  };
  return { model, asked };
}

describe('a model of version 4 of the AI SDK', () => {
  it('gets the request again after an interrupted stream, and only complete responses in the conversation', async () => {
    const { model, asked } = scripted('any', [
      [look, finish('interrupted')],
      [look, finish('tool-calls')],
    ]);

    const { report } = await playEpisode(pictures, modelAgent({ model }));

    expect(report).toMatchObject({ stop: 'stopped', turns: 2, usage: { inputTokens: 2, outputTokens: 2 } });
    expect(asked).toHaveLength(3);
    expect(asked[1]).toEqual(asked[0]);
  });

  it.each(['any', 'anthropic.messages'])('receives images in its own format (%s)', async (provider) => {
    const { model, asked } = scripted(provider, [[look, finish('tool-calls')]]);

    await playEpisode(pictures, modelAgent({ model }));

    const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data: { type: 'data', data } });
    const [prompt, , result, ...after] = asked[1] as { content: object[] }[];
    expect(prompt?.content).toEqual([file('image/png', 'AAAA')]);
    const seen = provider === 'any' ? after[0]?.content : result?.content;
    const expected = file('image/jpeg', 'BBBB');
    expect(seen).toContainEqual(
      provider === 'any' ? expected : expect.objectContaining({ output: { type: 'content', value: [expected] } }),
    );
  });
});

describe('the models of the AI SDK', () => {
  it('are assignable to LanguageModel', () => {
    const models: readonly LanguageModel[] = [
      createOpenAI({ apiKey: 'key' })('m'),
      createAnthropic({ apiKey: 'key' })('m'),
      createOpenAICompatible({ name: 'c', baseURL: 'http://127.0.0.1' })('m'),
    ];

    const agents = models.map((model) => modelAgent({ model }));

    expect(agents).toHaveLength(3);
  });
});
