import { afterEach, describe, expect, it } from '@jest/globals';
import { loadModel, modelAgent } from '../../../src/rollout/index.ts';
import { fixture } from '../../support/environment.ts';
import { startProvider } from './fake-provider.ts';
import { playEpisode } from './stage.ts';

const { math } = fixture();
const solve = { calls: [{ name: 'submit', input: { answer: '4' } }] };
const SAVED = { ...process.env };

afterEach(() => {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'TEST_KEY']) {
    if (SAVED[name] === undefined) delete process.env[name];
    else process.env[name] = SAVED[name];
  }
});

describe('loadModel with a base URL', () => {
  it.each([
    ['Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['openai-compatible/Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['vllm/llama', 'llama'],
    ['meta/llama', 'llama'],
    ['llama', 'llama'],
    ['openai/gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['Qwen/Qwen3-8B:beta', 'Qwen/Qwen3-8B:beta'],
    ['openai/other', 'other'],
  ])('finds %s as %s in the list of the server', async (name, expected) => {
    await using provider = await startProvider([], ['Qwen/Qwen3-8B', 'llama', 'openai/gpt-oss-20b']);

    const model = await loadModel(name, { baseUrl: provider.url });

    expect(model.modelId).toBe(expected);
  });

  it.each(['/', '', '/v1', '/v1/', '/v1/chat/completions'])(
    'loads a model that plays, with the path %j',
    async (path) => {
      await using provider = await startProvider([solve], path.length < 2 ? ['llama'] : undefined);

      const model = await loadModel('openai-compatible/llama', { baseUrl: provider.origin + path });
      const { report } = await playEpisode(math, modelAgent({ model }));

      expect(report).toMatchObject({ stop: 'finished', usage: { inputTokens: 10, outputTokens: 5 } });
      expect(provider.requests).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'llama' } }]);
    },
  );

  it('sends only the API key of the named variable', async () => {
    await using provider = await startProvider([{ text: 'a' }, { text: 'b' }], ['llama']);
    process.env.OPENAI_API_KEY = 'sk-for-openai';
    process.env.TEST_KEY = 'for-this-server';

    for (const key of [{}, { apiKeyEnv: 'TEST_KEY' }]) {
      const model = await loadModel('llama', { baseUrl: provider.url, ...key });
      await playEpisode(math, modelAgent({ model }));
    }

    const sent = provider.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([undefined, 'Bearer for-this-server']);
  });

  it('uses OPENAI_BASE_URL with OPENAI_API_KEY', async () => {
    await using provider = await startProvider([solve], ['gpt']);
    process.env.OPENAI_BASE_URL = provider.url;
    process.env.OPENAI_API_KEY = 'sk-mine';

    const model = await loadModel('openai/gpt');
    await playEpisode(math, modelAgent({ model }));

    expect(provider.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: 'Bearer sk-mine' }, body: { model: 'gpt' } },
    ]);
  });

  it('lists the models of the server if the model does not exist', async () => {
    await using provider = await startProvider(
      [{ status: 404, body: { error: { message: 'The model `qwen` does not exist.' } } }],
      ['Qwen/Qwen3-8B'],
    );

    const model = await loadModel('qwen', { baseUrl: provider.url });
    const played = playEpisode(math, modelAgent({ model }));

    await expect(played).rejects.toThrow(
      'the model qwen (openai-compatible.chat) does not exist: The model `qwen` does not exist. (status 404); ' +
        `check the base URL ${provider.url} and the model name; the server has: Qwen/Qwen3-8B`,
    );
  });
});

describe('loadModel', () => {
  it.each<[string, string, object, string]>([
    ['a provider without a package', 'unknown/m', {}, 'install it with: npm install @ai-sdk/unknown'],
    ['a name without a provider', 'gpt-5', {}, 'expected <provider>/<model>, such as openai/gpt-5, got "gpt-5"'],
    ['a provider without a model', 'openai/', {}, 'invalid model name'],
    ['a path', '../../evil/x', {}, 'invalid model name'],
    ['a server without a base URL', 'openai-compatible/x', {}, 'needs the base URL of its server'],
    ['an invalid base URL', 'x', { baseUrl: 'localhost:8000' }, 'invalid base URL: expected one such as '],
    ['a port without a server', 'x', { baseUrl: 'http://127.0.0.1:9/v1' }, 'cannot connect to http://127.0.0.1:9/v1'],
    ['a variable that is not set', 'x', { baseUrl: 'http://127.0.0.1:9', apiKeyEnv: 'TEST_KEY' }, 'TEST_KEY, which'],
    ['no API key of OpenAI', 'openai/gpt-5', {}, 'no API key for the model: set OPENAI_API_KEY, or'],
    ['no API key of Anthropic', 'anthropic/claude', {}, 'set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or'],
  ])('rejects with the remedy: %s', async (_what, name, options, sentence) => {
    delete process.env.OPENAI_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;

    const loaded = loadModel(name, options);

    await expect(loaded).rejects.toMatchObject({ name: 'AgentError', message: expect.stringContaining(sentence) });
  });

  it('rejects a model of an unknown version of the AI SDK', () => {
    const model = { specificationVersion: 'v9', provider: 'p', modelId: 'm', doGenerate: never, doStream: never };

    expect(() => modelAgent({ model })).toThrow('expected v3 or v4, got "v9"');
  });
});

const never = () => Promise.reject(new Error('unexpected call'));
