import { describe, expect, it, test } from '@jest/globals';
import { classifyProviderError, parseProviderError } from '../../../src/rollout/agents/model/provider-error.ts';
import { fixture } from '../../support/environment.ts';
import type { FakeReply } from './fake-provider.ts';
import { playEpisode, stageModel } from './stage.ts';
import type { FakeAnswer } from './wire.ts';

const { math, journal } = fixture();
const solve: FakeAnswer = { calls: [{ name: 'submit', input: { answer: '4' } }] };
const count: FakeAnswer = { calls: [{ name: 'count' }] };
const error = (status: number, message: string, more: object = {}): FakeReply => ({
  status,
  body: { error: { message, type: 'error', ...more } },
});

describe('a request that fails for the moment', () => {
  it.each<[string, FakeReply]>([
    ['429 and asks for patience', { ...{ status: 429, headers: { 'retry-after-ms': '5' } } }],
    ['429 with Retry-After in seconds', { status: 429, headers: { 'retry-after': '0' } }],
    ['503', { status: 503 }],
    ['529', error(529, 'Overloaded')],
    ['a page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
  ])('is made again after %s', async (_what, reply) => {
    await using stage = await stageModel([count, reply, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toEqual({ stop: 'finished', turns: 2, usage: { inputTokens: 20, outputTokens: 10 } });
    expect(stage.requests).toHaveLength(3);
    expect(stage.requests[2]?.body).toEqual(stage.requests[1]?.body);
  });

  it.each(['compatible', 'anthropic', 'responses'] as const)(
    'is made again after a stream that is cut, and no call of its half is made (%s)',
    async (via) => {
      const half: FakeAnswer = { text: 'Let me count.', calls: [{ name: 'count' }, { name: 'count' }] };
      await using stage = await stageModel([{ ...half, cut: 'tcp' }, { ...half, cut: 'clean' }, solve], { via });
      const before = journal.counted;

      const { report } = await playEpisode(math, stage.agent);

      expect(report).toMatchObject({ stop: 'finished', turns: 1 });
      expect(stage.requests).toHaveLength(3);
      expect(journal.counted).toBe(before);
    },
  );

  it('fails the episode after the last retry, and may succeed in another', async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'slow down' } } };
    await using stage = await stageModel([busy, busy, busy, solve], { retries: 2 });

    const played = playEpisode(math, stage.agent);

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: true,
      message: 'the model fake-1 (openai-compatible.chat) gave no answer in 3 attempts: slow down (status 429)',
    });
    expect(stage.requests).toHaveLength(3);
  });
});

test.each([
  ['a certificate that has expired', 'CERT_HAS_EXPIRED', 'final'],
  ['a header that cannot be sent', 'ERR_INVALID_CHAR', 'final'],
  ['a refused connection', 'ECONNREFUSED', 'again'],
])('judges %s', (_, code, verdict) => {
  const cause = Object.assign(new Error('it failed'), { code });
  const read = parseProviderError(new TypeError('fetch failed', { cause }), 0);

  expect(read.message).toBe('it failed');
  expect(classifyProviderError(read, true)).toBe(verdict);
});

describe('a provider that says no for good', () => {
  it.each<[string, FakeReply, string]>([
    ['a wrong key', error(401, 'Incorrect API key'), 'refused the key: Incorrect API key (status 401)'],
    ['a key without rights', error(403, 'No access'), 'refused the key: No access (status 403)'],
    ['an unknown model', error(404, 'The model does not exist'), 'is not there: The model does not exist (status 404)'],
    ['a model by a suspicious name', error(404, 'No model omni-moderation'), 'is not there: No model omni-moderation'],
    [
      'a quota that is used up',
      error(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
      'is paid for no longer: You exceeded',
    ],
    [
      'tools that the server does not parse',
      error(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'refused the request: "auto" tool choice requires --enable-auto-tool-choice',
    ],
    [
      'the options of streams',
      error(400, 'Unrecognized request argument supplied: stream_options'),
      'stream_options (status 400); ask for whole answers, by --no-stream',
    ],
    [
      'more room for an answer than there is',
      error(400, "'max_tokens' is too large: 99999. This model's maximum context length is 4096 tokens"),
      "refused the request: 'max_tokens' is too large",
    ],
  ])('fails the episode at once: %s', async (_what, reply, sentence) => {
    await using stage = await stageModel([reply, solve]);

    const played = playEpisode(math, stage.agent);

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: false,
      message: expect.stringContaining(sentence),
    });
    expect(stage.requests).toHaveLength(1);
  });
});

describe('a conversation that is too long for its model', () => {
  it.each<[string, FakeReply]>([
    ['OpenAI', error(400, 'Too long.', { code: 'context_length_exceeded' })],
    ['vLLM', error(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.")],
    ['vLLM with max_tokens', error(400, "'max_tokens' is too large: 512. This model's maximum context length is 4096")],
    ['SGLang', error(400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).")],
    ['llama.cpp', error(400, 'the request exceeds the available context size', { type: 'exceed_context_size_error' })],
    ['Anthropic', error(400, 'prompt is too long: 215000 tokens > 200000 maximum')],
    ['Gemini', error(400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).')],
    ['xAI', error(400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens.")],
    ['Bedrock', error(400, 'Input is too long for requested model.')],
    ['a server that says so with 500', error(500, 'maximum context length exceeded')],
  ])('ends its episode as %s says it', async (_who, reply) => {
    await using stage = await stageModel([count, reply]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'context_overflow', turns: 1, usage: { inputTokens: 10 } });
    expect(stage.requests).toHaveLength(2);
  });

  it('ends its episode where the answer stops at the end of the window', async () => {
    await using stage = await stageModel([{ text: 'And so', finish: 'model_context_window_exceeded' }], {
      via: 'anthropic',
    });

    const { report } = await playEpisode(math, stage.agent);

    expect(report?.stop).toBe('context_overflow');
  });
});

describe('an answer that ends an episode', () => {
  it.each<[string, FakeReply, 'compatible' | 'anthropic' | 'responses', string]>([
    ['a filter of content', { text: 'I', finish: 'content_filter' }, 'compatible', 'refusal'],
    ['a filter within a call', { ...count, finish: 'content_filter' }, 'compatible', 'refusal'],
    ['a refusal of Claude', { text: 'I cannot.', finish: 'refusal' }, 'anthropic', 'refusal'],
    ['a filter of GPT', { text: 'I', finish: 'content_filter' }, 'responses', 'refusal'],
    ['a prompt that is refused', error(400, 'Filtered.', { code: 'content_filter' }), 'compatible', 'refusal'],
    ['a prompt that is flagged', error(403, 'Your input was flagged'), 'compatible', 'refusal'],
    ['no room for more words', { text: 'Well, it', finish: 'length' }, 'compatible', 'output_limit'],
    ['no room, by Claude', { text: 'Well, it', finish: 'max_tokens' }, 'anthropic', 'output_limit'],
    ['no room, by GPT', { text: 'Well, it', finish: 'max_output_tokens' }, 'responses', 'output_limit'],
  ])('is told by its name: %s', async (_what, reply, via, stop) => {
    await using stage = await stageModel([reply, solve], { via });

    const { report } = await playEpisode(math, stage.agent);

    expect(report?.stop).toBe(stop);
    expect(stage.requests).toHaveLength(1);
  });
});

describe('a call that nobody can make', () => {
  const calls = (name: string, input: string): FakeAnswer => ({ calls: [{ name, input, id: 'm' }] });

  it.each([
    ['arguments that are cut off', calls('submit', '{"answer": "4'), 'cannot be read as JSON'],
    ['arguments that are words', calls('submit', 'four'), 'cannot be read as JSON'],
    ['arguments that are a list', calls('submit', '["4"]'), 'not a JSON object'],
    ['a number beyond JSON', calls('submit', '{"answer": 1e999}'), 'arguments.answer is a number that'],
    ['an integer that would be rounded', calls('submit', '{"answer": [9007199254740993]}'), 'arguments.answer[0] is a'],
    [
      'arguments without bottom',
      calls('submit', `{"answer": ${'['.repeat(5e4)}${']'.repeat(5e4)}}`),
      'nested deeper than 512 levels',
    ],
    ['a tool that is not there', calls('guess', '{}'), 'There is no tool "guess"; the tools are: submit, count, '],
    ['a tool of the language', calls('constructor', '{}'), 'There is no tool "constructor"'],
  ])('is answered with what is wrong: %s', async (_what, reply, problem) => {
    await using stage = await stageModel([reply, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 2 });
    const [said, result] = stage.requests[1]?.body.messages.slice(-2) ?? [];
    expect(said.tool_calls).toMatchObject([{ id: 'm', function: { arguments: '{}' } }]);
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'm', content: expect.stringContaining(problem) });
  });

  it('does not keep those beside it from being made', async () => {
    const mixed = { calls: [{ name: 'count' }, { name: 'count', input: '{' }] };
    await using stage = await stageModel([mixed, mixed, mixed, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 4 });
  });

  it('ends the episode after three answers in a row that hold nothing else', async () => {
    const bad = calls('submit', '{');
    await using stage = await stageModel([bad, bad, count, bad, bad, bad, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'malformed_arguments', turns: 6 });
    expect(stage.requests).toHaveLength(6);
  });

  it('gets an id of its own where an answer has one twice', async () => {
    const twice = { calls: ['1', '2'].map((text) => ({ name: 'echo', input: { text }, id: 'same' })) };
    await using stage = await stageModel([twice, solve], { streaming: false });

    await playEpisode(math, stage.agent);

    const [first, second] = stage.requests[1]?.body.messages.slice(-2) ?? [];
    expect([first, second]).toMatchObject([{ content: '1' }, { content: '2' }]);
    expect(first.tool_call_id).not.toBe(second.tool_call_id);
  });
});
