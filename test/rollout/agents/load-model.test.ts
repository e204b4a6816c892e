import { afterEach, describe, expect, it } from '@jest/globals';
import { loadModel, modelAgent } from '../../../src/rollout/agents/index.ts';
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

describe('a model of a server with a base URL', () => {
  it.each([
    ['Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['openai-compatible/Qwen/Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['vllm/llama', 'llama'],
    ['meta/llama', 'llama'],
    ['llama', 'llama'],
    ['openai/gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['Qwen/Qwen3-8B:beta', 'Qwen/Qwen3-8B:beta'],
    ['openai/other', 'other'],
  ])('is the one that the server lists: %s is %s', async (name, expected) => {
    await using provider = await startProvider([], ['Qwen/Qwen3-8B', 'llama', 'openai/gpt-oss-20b']);

    const model = await loadModel(name, { baseUrl: provider.url });

    expect(model.modelId).toBe(expected);
  });

  it.each(['/', '', '/v1', '/v1/', '/v1/chat/completions'])('plays, with %j behind its origin', async (path) => {
    await using provider = await startProvider([solve], path.length < 2 ? ['llama'] : undefined);

    const model = await loadModel('openai-compatible/llama', { baseUrl: provider.origin + path });
    const { report } = await playEpisode(math, modelAgent({ model }));

    expect(report).toMatchObject({ stop: 'finished', usage: { inputTokens: 10, outputTokens: 5 } });
    expect(provider.requests).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'llama' } }]);
  });

  it('is given no key but the one that is named', async () => {
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

  it('is that of OPENAI_BASE_URL, with the key of OpenAI', async () => {
    await using provider = await startProvider([solve], ['gpt']);
    process.env.OPENAI_BASE_URL = provider.url;
    process.env.OPENAI_API_KEY = 'sk-mine';

    const model = await loadModel('openai/gpt');
    await playEpisode(math, modelAgent({ model }));

    expect(provider.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: 'Bearer sk-mine' }, body: { model: 'gpt' } },
    ]);
  });

  it('is named beside those that there are, where it is not there', async () => {
    await using provider = await startProvider(
      [{ status: 404, body: { error: { message: 'The model `qwen` does not exist.' } } }],
      ['Qwen/Qwen3-8B'],
    );

    const model = await loadModel('qwen', { baseUrl: provider.url });
    const played = playEpisode(math, modelAgent({ model }));

    await expect(played).rejects.toThrow(
      'the model qwen (openai-compatible.chat) is not there: The model `qwen` does not exist. (status 404); ' +
        `check the base URL ${provider.url}, and the name of the model; the server has: Qwen/Qwen3-8B`,
    );
  });
});

describe('a model that cannot be loaded', () => {
  it.each<[string, string, object, string]>([
    ['a provider without package', 'nobody/m', {}, 'install it with: npm install @ai-sdk/nobody'],
    ['a name without provider', 'gpt-5', {}, '"gpt-5" names no model; write <provider>/<model>, such as openai/gpt-5'],
    ['a provider without model', 'openai/', {}, 'names no model'],
    ['a path', '../../evil/x', {}, 'names no model'],
    ['a server without address', 'openai-compatible/x', {}, 'needs the base URL of its server'],
    ['an address that is none', 'x', { baseUrl: 'localhost:8000' }, 'the base URL "localhost:8000" is none'],
    [
      'a port where nobody listens',
      'x',
      { baseUrl: 'http://127.0.0.1:9/v1' },
      'nothing answers at http://127.0.0.1:9/v1',
    ],
    ['a variable that is not set', 'x', { baseUrl: 'http://127.0.0.1:9', apiKeyEnv: 'TEST_KEY' }, 'TEST_KEY, which'],
    ['no key of OpenAI', 'openai/gpt-5', {}, 'there is no key for the model: set OPENAI_API_KEY, or'],
    ['no key of Anthropic', 'anthropic/claude', {}, 'set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or'],
  ])('says what to do: %s', async (_what, name, options, sentence) => {
    delete process.env.OPENAI_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;

    const loaded = loadModel(name, options);

    await expect(loaded).rejects.toMatchObject({ name: 'AgentError', message: expect.stringContaining(sentence) });
  });

  it('says so for a version of the AI SDK that is not known', () => {
    const model = { specificationVersion: 'v9', provider: 'p', modelId: 'm', doGenerate: never, doStream: never };

    expect(() => modelAgent({ model })).toThrow(
      'has version "v9" of the AI SDK\'s interface, and v3 and v4 are understood',
    );
  });
});

const never = () => Promise.reject(new Error('nobody asks'));
