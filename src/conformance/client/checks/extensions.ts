import { equalJson, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { ensureError, ensureText, ensureValue } from '../outcome.ts';
import type { ReceivedRequest } from '../server/exchange.ts';
import { PROMPT_TEXT, resultJson, TASK_TOOL, TOOLS } from '../server/healthy.ts';

const TERMINAL = { name: 'submit', arg: 'answer', description: 'Grades the answer.' };
const ANSWER = 'The capital is Lima.';
/** More than a client repeats a request that fails otherwise. */
const STARTING_RESPONSES = 7;

/** Announces a terminal tool, or what an older server returns. */
function announce({ server }: ClientHarness, terminal: object | null | undefined): void {
  const more = terminal === undefined ? {} : { terminal_tool: terminal, supports_score_group: false };
  server.setResponse('tools', 200, { tools: TOOLS, ...more });
  server.setResponse('task_tools', 200, { tools: [...TOOLS, TASK_TOOL], ...more });
}

/** Asserts that the client made exactly this call. */
function ensureCalled({ server }: ClientHarness, name: string, input: object): void {
  const calls = server.requestsOf('call').map(({ json }) => [json.name, json.input]);
  const isRight = equalJson(calls, [[name, input]]);
  assertConforms(
    isRight,
    `the answer was sent as the calls ${previewJson(calls)} instead of ${previewJson([[name, input]])}`,
  );
}

const CONVERSATION = [
  { role: 'system', blocks: [{ type: 'text', text: 'Be brief.', detail: null }], detail: null },
  { role: 'user', blocks: [{ type: 'text', text: 'Where is order 7?', detail: null }], detail: null },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'I look it up.', signature: null, detail: null },
      { type: 'tool_call', id: 'c1', name: 'lookup', input: { id: '7' }, detail: null },
    ],
    detail: null,
  },
  {
    role: 'user',
    blocks: [
      {
        type: 'tool_result',
        tool_call_id: 'c1',
        blocks: [{ type: 'text', text: 'stalled', detail: null }],
        is_error: false,
        detail: null,
      },
      { type: 'text', text: 'Hurry.', detail: null },
    ],
    detail: null,
  },
];

const outline = (
  messages: readonly { readonly role: string; readonly blocks: readonly { readonly type: string }[] }[],
) => messages.map(({ role, blocks }) => `${role}: ${blocks.map(({ type }) => type).join(', ')}`);

export const clientExtensionChecks: readonly ClientCheck[] = [
  {
    id: 'client/terminal/answer',
    title: 'Submits a final text by a call of the terminal tool, and returns its reward',
    requirement: 'ORS-CLNT-029',
    async run(harness) {
      announce(harness, TERMINAL);
      harness.endCallsWith('end', resultJson('graded', { reward: 1, finished: true }));
      await harness.open();

      const { reward, finished } = ensureValue(await harness.answer(ANSWER), 'the answer');

      ensureCalled(harness, TERMINAL.name, { answer: ANSWER });
      assertConforms(reward === 1 && finished, `the reward 1 and finished true became ${reward} and ${finished}`);
    },
  },
  {
    id: 'client/terminal/no-argument',
    title: 'Calls a terminal tool without parameters without the text',
    requirement: 'ORS-CLNT-029',
    async run(harness) {
      announce(harness, { ...TERMINAL, arg: null });
      harness.endCallsWith('end', resultJson('graded', { reward: 0.25, finished: true }));
      await harness.open();

      ensureText(await harness.answer(ANSWER), 'graded', 'the answer');

      ensureCalled(harness, TERMINAL.name, {});
    },
  },
  {
    id: 'client/terminal/none',
    title: 'Reports an answer as an error, and calls nothing, if the server announces no terminal tool',
    requirement: 'ORS-CLNT-029',
    async run(harness) {
      announce(harness, undefined);
      await harness.open();

      ensureError(await harness.answer(ANSWER), 'the answer to a server without a terminal tool');

      const calls = harness.server.requestsOf('call').map(({ json }) => json.name);
      assertConforms(calls.length === 0, `without a terminal tool, the client called ${previewJson(calls)}`);
    },
  },
  {
    id: 'client/messages/roles',
    title: 'Returns the messages of a conversation with their roles and blocks',
    requirement: 'ORS-CLNT-030',
    async run(harness) {
      harness.server.setResponse('messages', 200, CONVERSATION);
      await harness.open();

      const messages = ensureValue(await harness.messages(), 'the conversation');

      const [found, expected] = [outline(messages), outline(CONVERSATION)];
      assertConforms(equalJson(found, expected), `the conversation became ${previewJson(found)}`);
    },
  },
  {
    id: 'client/messages/fallback',
    title: 'Returns the prompt as one message of the user if the server has no /messages, and asks only once for them',
    requirement: 'ORS-CLNT-031',
    async run(harness) {
      await harness.open();

      const messages = ensureValue(await harness.messages(), 'the messages of a server without them');
      ensureValue(await harness.messages(), 'the messages of a server without them, again,');

      const texts = messages.map(({ role, blocks }) => `${role}: ${blocks.map(({ text }) => text).join('')}`);
      assertConforms(equalJson(texts, [`user: ${PROMPT_TEXT}`]), `the messages are ${previewJson(texts)}`);
      const count = harness.server.requestsOf('messages').length;
      assertConforms(count <= 1, `/messages, which the server does not have, was requested ${count} times`);
    },
  },
  {
    id: 'client/error/reason',
    title: 'Tells the reason of a refused call',
    requirement: 'ORS-CLNT-032',
    async run(harness) {
      await harness.open();
      for (const reason of ['input_validation', 'not_found', 'episode_finished']) {
        harness.endCallsWith('end', JSON.stringify({ ok: false, error: 'This is not possible.', reason }));
        const refused = ensureError(await harness.callEcho(), `the call that was refused as ${reason}`);
        assumeApplicable(refused.reason !== undefined, 'the adapter reports no reasons');
        assertConforms(refused.reason === reason, `the reason ${reason} became ${refused.reason}`);
      }
    },
  },
  {
    id: 'client/error/after-finished',
    title: 'Uses its session after a call was refused because the episode is finished, and deletes it',
    requirement: 'ORS-CLNT-033',
    async run(harness) {
      await harness.open();
      const refusal = { ok: false, error: 'The episode is finished.', reason: 'episode_finished' };
      harness.endCallsWith('end', JSON.stringify(refusal));
      ensureError(await harness.callEcho(), 'the call in a finished episode');
      harness.endCallsWith('end', resultJson('again'));

      ensureText(await harness.callEcho(), 'again', 'the call after one that was refused as episode_finished');
      await harness.close();

      const count = harness.server.requestsOf('delete').length;
      assertConforms(count > 0, 'after a call was refused as episode_finished, there was no /delete');
    },
  },
  startingCheck('prompt'),
  startingCheck('call'),
];

/** Returns whether a client announces that it understands 503 during setup. */
function understandsStarting({ header }: ReceivedRequest): boolean {
  const [, version = '0'] = /^openreward-sdk\/0\.1\.(\d+)/.exec(header('user-agent') ?? '') ?? [];
  return /\bwait=\d/.test(header('prefer') ?? '') || Number(version) >= 157;
}

/** Returns a check that the client repeats a request until setup has ended. */
function startingCheck(operation: 'prompt' | 'call'): ClientCheck {
  return {
    id: `client/starting/${operation}`,
    title: `Repeats a ${operation} that gets 503 with X-Backend-State until setup has ended`,
    requirement: 'ORS-CLNT-034',
    slow: true,
    async run(harness) {
      const { server, times } = harness;
      const healthy = server.handlerOf(operation);
      const seconds = Math.ceil(times.retryAfterMs / 2_000);
      const headers = { 'Retry-After': String(seconds), 'X-Backend-State': 'starting' };
      server.setHandler(operation, (request, reply) => {
        if (server.requestsOf(operation).length > STARTING_RESPONSES) return healthy(request, reply);
        reply.json(503, { detail: 'the environment is starting' }, headers);
      });
      await harness.open();

      const extraMs = STARTING_RESPONSES * 2_000 * seconds;
      const outcome = await (operation === 'call' ? harness.callEcho(extraMs) : harness.prompt(extraMs));

      const [first] = server.requestsOf(operation);
      assume(first, `there was no /${operation}`);
      assumeApplicable(understandsStarting(first), 'the client does not announce that it understands 503 during setup');
      ensureValue<unknown>(outcome, `/${operation}, which got 503 with X-Backend-State ${STARTING_RESPONSES} times,`);
    },
  };
}
