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

describe('a request that fails temporarily', () => {
  it.each<[string, FakeReply]>([
    ['429 with retry-after-ms', { status: 429, headers: { 'retry-after-ms': '5' } }],
    ['429 with Retry-After in seconds', { status: 429, headers: { 'retry-after': '0' } }],
    ['503', { status: 503 }],
    ['529', error(529, 'Overloaded')],
    ['an error page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
  ])('is retried after %s', async (_what, reply) => {
    await using stage = await stageModel([count, reply, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 2, usage: { inputTokens: 20, outputTokens: 10 } });
    expect(stage.requests).toHaveLength(3);
    expect(stage.requests[2]?.body).toEqual(stage.requests[1]?.body);
  });

  it.each(['compatible', 'anthropic', 'responses'] as const)(
    'is retried after a truncated stream, whose calls are not made (%s)',
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

  it('fails the episode after the last retry with a retryable error', async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'slow down' } } };
    await using stage = await stageModel([busy, busy, busy, solve], { retries: 2 });

    const played = playEpisode(math, stage.agent);

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: true,
      message: 'the model fake-1 (openai-compatible.chat) did not respond in 3 attempts: slow down (status 429)',
    });
    expect(stage.requests).toHaveLength(3);
  });
});

test.each([
  ['an expired certificate', 'CERT_HAS_EXPIRED', 'final'],
  ['an invalid header', 'ERR_INVALID_CHAR', 'final'],
  ['a refused connection', 'ECONNREFUSED', 'temporary'],
])('classifies %s', (_, code, kind) => {
  const cause = Object.assign(new Error('it failed'), { code });
  const read = parseProviderError(new TypeError('fetch failed', { cause }), 0);

  expect(read.message).toBe('it failed');
  expect(classifyProviderError(read, true)).toBe(kind);
});

describe('a permanent error of the provider', () => {
  it.each<[string, FakeReply, string]>([
    ['an invalid API key', error(401, 'Incorrect API key'), 'rejected the API key: Incorrect API key (status 401)'],
    ['an API key without permission', error(403, 'No access'), 'rejected the API key: No access (status 403)'],
    [
      'an unknown model',
      error(404, 'The model does not exist'),
      'does not exist: The model does not exist (status 404)',
    ],
    [
      'an unknown model with a suspicious name',
      error(404, 'No model omni-moderation'),
      'does not exist: No model omni-moderation',
    ],
    [
      'an exhausted quota',
      error(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
      'has no quota left: You exceeded',
    ],
    [
      'a server without a parser for tool calls',
      error(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'rejected the request: "auto" tool choice requires --enable-auto-tool-choice',
    ],
    [
      'unsupported stream options',
      error(400, 'Unrecognized request argument supplied: stream_options'),
      'stream_options (status 400); disable streaming with --no-stream',
    ],
    [
      'an output limit above the context length',
      error(400, "'max_tokens' is too large: 99999. This model's maximum context length is 4096 tokens"),
      "rejected the request: 'max_tokens' is too large",
    ],
  ])('fails the episode without a retry: %s', async (_what, reply, sentence) => {
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

describe('a conversation that exceeds the context length', () => {
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
    ['a server with status 500', error(500, 'maximum context length exceeded')],
  ])('ends the episode with the message of %s', async (_provider, reply) => {
    await using stage = await stageModel([count, reply]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'context_overflow', turns: 1, usage: { inputTokens: 10 } });
    expect(stage.requests).toHaveLength(2);
  });

  it('ends the episode if the response stops at the end of the context window', async () => {
    await using stage = await stageModel([{ text: 'And so', finish: 'model_context_window_exceeded' }], {
      via: 'anthropic',
    });

    const { report } = await playEpisode(math, stage.agent);

    expect(report?.stop).toBe('context_overflow');
  });
});

describe('a response that ends an episode', () => {
  it.each<[string, FakeReply, 'compatible' | 'anthropic' | 'responses', string]>([
    ['a content filter', { text: 'I', finish: 'content_filter' }, 'compatible', 'refusal'],
    ['a content filter within a call', { ...count, finish: 'content_filter' }, 'compatible', 'refusal'],
    ['a refusal by Claude', { text: 'I cannot.', finish: 'refusal' }, 'anthropic', 'refusal'],
    ['a content filter of GPT', { text: 'I', finish: 'content_filter' }, 'responses', 'refusal'],
    ['a filtered prompt', error(400, 'Filtered.', { code: 'content_filter' }), 'compatible', 'refusal'],
    ['a flagged prompt', error(403, 'Your input was flagged'), 'compatible', 'refusal'],
    ['the output limit', { text: 'Well, it', finish: 'length' }, 'compatible', 'output_limit'],
    ['the output limit of Claude', { text: 'Well, it', finish: 'max_tokens' }, 'anthropic', 'output_limit'],
    ['the output limit of GPT', { text: 'Well, it', finish: 'max_output_tokens' }, 'responses', 'output_limit'],
  ])('is reported with its stop reason: %s', async (_what, reply, via, stop) => {
    await using stage = await stageModel([reply, solve], { via });

    const { report } = await playEpisode(math, stage.agent);

    expect(report?.stop).toBe(stop);
    expect(stage.requests).toHaveLength(1);
  });
});

describe('a malformed call', () => {
  const calls = (name: string, input: string): FakeAnswer => ({ calls: [{ name, input, id: 'm' }] });

  it.each([
    ['truncated arguments', calls('submit', '{"answer": "4'), 'are not valid JSON'],
    ['plain text as arguments', calls('submit', 'four'), 'are not valid JSON'],
    ['an array as arguments', calls('submit', '["4"]'), 'not a JSON object'],
    ['a number out of range', calls('submit', '{"answer": 1e999}'), 'arguments.answer is a number that'],
    ['an integer that is not exact', calls('submit', '{"answer": [9007199254740993]}'), 'arguments.answer[0] is a'],
    [
      'deeply nested arguments',
      calls('submit', `{"answer": ${'['.repeat(5e4)}${']'.repeat(5e4)}}`),
      'nested deeper than 512 levels',
    ],
    ['an unknown tool', calls('guess', '{}'), 'Unknown tool "guess"; the tools are: submit, count, '],
    ['a tool with the name of an inherited property', calls('constructor', '{}'), 'Unknown tool "constructor"'],
  ])('gets a result that describes the problem: %s', async (_what, reply, problem) => {
    await using stage = await stageModel([reply, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 2 });
    const [response, result] = stage.requests[1]?.body.messages.slice(-2) ?? [];
    expect(response.tool_calls).toMatchObject([{ id: 'm', function: { arguments: '{}' } }]);
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'm', content: expect.stringContaining(problem) });
  });

  it('does not prevent the other calls of the response', async () => {
    const mixed = { calls: [{ name: 'count' }, { name: 'count', input: '{' }] };
    await using stage = await stageModel([mixed, mixed, mixed, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 4 });
  });

  it('ends the episode after three consecutive responses with malformed calls only', async () => {
    const bad = calls('submit', '{');
    await using stage = await stageModel([bad, bad, count, bad, bad, bad, solve]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'malformed_arguments', turns: 6 });
    expect(stage.requests).toHaveLength(6);
  });

  it('gets a unique id if the id occurs twice in a response', async () => {
    const twice = { calls: ['1', '2'].map((text) => ({ name: 'echo', input: { text }, id: 'same' })) };
    await using stage = await stageModel([twice, solve], { streaming: false });

    await playEpisode(math, stage.agent);

    const [first, second] = stage.requests[1]?.body.messages.slice(-2) ?? [];
    expect([first, second]).toMatchObject([{ content: '1' }, { content: '2' }]);
    expect(first.tool_call_id).not.toBe(second.tool_call_id);
  });
});
