import { equalJson } from '../../../core/index.ts';
import { assertConforms } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { ensureText, ensureValue, shorten } from '../outcome.ts';
import { PROMPT_TEXT, resultJson, TASK_TOOL, TOOLS } from '../server/healthy.ts';

/** Returns these results for consecutive calls; the last one repeatedly. */
function returnResults(harness: ClientHarness, ...results: readonly string[]): void {
  harness.onCall(async (reply) => {
    const count = harness.server.requestsOf('call').length;
    await reply.endWith('end', results[Math.min(count, results.length) - 1] ?? '');
  });
}

const NAMES = [...TOOLS, TASK_TOOL].map(({ name }) => name);

/** Returns this list of tools for both routes, because clients may request either, and asserts that the client reads it. */
async function ensureReadsTools(harness: ClientHarness, body: unknown, what: string): Promise<void> {
  harness.server.setResponse('task_tools', 200, body);
  harness.server.setResponse('tools', 200, body);
  await harness.open();

  const names = ensureValue(await harness.tools(), what).map(({ name }) => name);

  assertConforms(equalJson(names, NAMES), `${what} returned ${names.join(', ')} instead of ${NAMES.join(', ')}`);
}

const DEEP = {
  unicode: 'snow ☃, smile 😀, \u0000',
  nothing: null,
  numbers: [0, -1, 0.1, 1e21, 9_007_199_254_740_991],
  deep: { list: [null, true, [], {}, [[1.5]]], '': 'the empty name', 'a.b/c~d': false },
};

export const responseChecks: readonly ClientCheck[] = [
  {
    id: 'client/answer/missing-fields',
    title: 'Reads missing reward, metadata and detail as null',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      const output = { blocks: [{ type: 'text', text: 'little' }], finished: false };
      harness.endCallsWith('end', JSON.stringify({ ok: true, output }));
      await harness.open();

      const outcome = await harness.callEcho();

      const { reward, metadata } = ensureText(outcome, 'little', 'a result without reward, metadata and detail');
      assertConforms(reward === null, `a result without reward has the reward ${reward}`);
      assertConforms(metadata === null, `a result without metadata has the metadata ${JSON.stringify(metadata)}`);
    },
  },
  {
    id: 'client/answer/more-fields-in-result',
    title: 'Ignores unknown fields of a result',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      const blocks = [{ type: 'text', text: 'more', detail: null, language: 'en' }];
      const output = { blocks, metadata: null, reward: 1.5, finished: false, truncated: true, usage: { tokens: 3 } };
      harness.endCallsWith('end', JSON.stringify({ ok: true, output, duration_ms: 12 }));
      await harness.open();

      ensureText(await harness.callEcho(), 'more', 'a result with unknown fields');
    },
  },
  {
    id: 'client/answer/more-fields-in-prompt',
    title: 'Reads a prompt whose blocks have no detail, or unknown fields',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      harness.server.setResponse('prompt', 200, [
        { type: 'text', text: PROMPT_TEXT, role: 'user' },
        { type: 'text', text: 'And no more.' },
      ]);
      await harness.open();

      const blocks = ensureValue(await harness.prompt(), 'a prompt with an unknown field');

      const texts = blocks.map(({ text }) => text);
      const isRight = equalJson(texts, [PROMPT_TEXT, 'And no more.']);
      assertConforms(isRight, `the prompt returned ${shorten(JSON.stringify(blocks))}`);
    },
  },
  {
    id: 'client/answer/more-fields-in-tools',
    title: 'Ignores unknown fields of a tool, and next to the tools',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      const tools = [...TOOLS, TASK_TOOL].map((tool) => ({ ...tool, output_schema: null, title: 'A tool' }));
      await ensureReadsTools(harness, { tools, next: null }, 'a list of tools with unknown fields');
    },
  },
  {
    id: 'client/answer/no-input-schema',
    title: 'Reads a tool without input_schema as one without parameters',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      const { name, description } = TASK_TOOL;
      const tools = [...TOOLS, { name, description }];
      await ensureReadsTools(harness, { tools }, 'a list with a tool without input_schema');
    },
  },
  {
    id: 'client/answer/more-fields-in-discovery',
    title: 'Ignores unknown fields of splits and shared tools',
    requirement: 'ORS-CLNT-007',
    async run(harness) {
      harness.server.setResponse('splits', 200, [{ name: 'train', type: 'train', size: 2 }]);
      harness.server.setResponse('tools', 200, { tools: [{ ...TOOLS[0], title: 'A tool' }] });

      const { splits, tools } = ensureValue(await harness.discover(), 'discovery of splits and tools with more fields');

      const found = [splits, tools.map(({ name }) => name)];
      assertConforms(equalJson(found, [['train'], ['echo']]), `discovery returned ${shorten(JSON.stringify(found))}`);
    },
  },
  {
    id: 'client/answer/any-json',
    title: 'Passes inputs, metadata and details on unchanged, with any JSON in them',
    requirement: 'ORS-TYPE-001',
    async run(harness) {
      const blocks = [{ type: 'text', text: 'deep', detail: DEEP }];
      const output = { blocks, metadata: DEEP, reward: null, finished: false };
      harness.endCallsWith('end', JSON.stringify({ ok: true, output }));
      await harness.open();

      const outcome = await harness.call('echo', DEEP);

      const sent = harness.server.requestsOf('call')[0]?.json.input;
      assertConforms(equalJson(sent, DEEP), `the input ${JSON.stringify(DEEP)} was sent as ${JSON.stringify(sent)}`);
      const { metadata, blocks: received } = ensureText(outcome, 'deep', 'a result with metadata and detail');
      for (const [what, value] of Object.entries({ metadata, detail: received[0]?.detail })) {
        assertConforms(equalJson(value, DEEP), `the ${what} ${JSON.stringify(DEEP)} became ${JSON.stringify(value)}`);
      }
    },
  },
  {
    id: 'client/answer/metadata-apart',
    title: 'Returns metadata separately from the blocks, which the agent sees',
    requirement: 'ORS-CLNT-021',
    async run(harness) {
      harness.endCallsWith('end', resultJson('for the agent', { metadata: { grader: 'not for the agent' } }));
      await harness.open();

      const { metadata } = ensureText(await harness.callEcho(), 'for the agent', 'a result with metadata');

      assertConforms(metadata?.grader === 'not for the agent', `the metadata became ${JSON.stringify(metadata)}`);
    },
  },
  {
    id: 'client/answer/reward',
    title: 'Distinguishes a reward of null from a reward of 0',
    requirement: 'ORS-CLNT-022',
    async run(harness) {
      const rewards = [null, 0, -0.5];
      returnResults(harness, ...rewards.map((reward) => resultJson('rewarded', { reward })));
      await harness.open();

      for (const reward of rewards) {
        const value = ensureValue(await harness.callEcho(), `a result with the reward ${reward}`);
        assertConforms(value.reward === reward, `the reward ${reward} became ${value.reward}`);
      }
    },
  },
  {
    id: 'client/answer/finished',
    title: 'Reports that the episode is finished, and makes no further calls by itself',
    requirement: 'ORS-CLNT-013',
    async run(harness) {
      returnResults(harness, resultJson('not yet'), resultJson('done', { finished: true, reward: 1 }));
      await harness.open();

      const before = ensureValue(await harness.callEcho(), 'a result with finished false');
      const last = ensureValue(await harness.callEcho(), 'a result with finished true');
      await harness.close();

      assertConforms(!before.finished, 'finished false became true');
      assertConforms(last.finished, 'finished true became false, so its caller would continue');
      const count = harness.server.requestsOf('call').length;
      assertConforms(count === 2, `expected 2 calls, got ${count}`);
    },
  },
];
