import { isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable, UntestableError } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { GeneratedInput } from '../../inputs/create-inputs.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { type DiscoveredTool, type FixtureTool, isFixture } from '../../target.ts';
import {
  assertCallRejected,
  assertCallSuccess,
  assumeEventStream,
  assumeReadableResult,
  describeCallOutcome,
  isClientError,
  isRejected,
  requireText,
} from '../responses.ts';

const MAX_TOOLS = 12;
const MAX_INPUTS = 5;
/** Tools of the fixture that are slow on purpose. */
const SLOW_TOOLS: readonly string[] = ['sleep', 'block', 'big'] satisfies FixtureTool[];
const VALID = { mode: 'fast', point: { x: 1, y: 2 } };

export const inputChecks = defineChecks({ profile: 'core', needs: ['call'], cost: { sessions: 1, calls: 1 } }, [
  {
    id: 'call/unknown-tool',
    title: 'A call of an unknown tool is reported as failed',
    requirement: 'ORS-CALL-009',
    needs: ['task'],
    async play(episode) {
      const response = await episode.start('no_such_tool').end();
      assertCallRejected(response, "the call of 'no_such_tool'");
    },
  },
  {
    id: 'call/input-no-object',
    title: 'A call whose input is null, an array or missing is rejected with a 4xx status',
    requirement: 'ORS-CALL-011',
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const { name } = (await probe.sample()).tool;
      await assertBodiesRejected(probe, [{ name, input: null }, { name, input: [] }, { name }]);
    },
  },
  {
    id: 'call/no-name',
    title: 'A call whose name is missing or not a string is rejected with a 4xx status',
    requirement: 'ORS-CALL-012',
    needs: ['task'],
    cost: { sessions: 1, calls: 2 },
    run: (probe) => assertBodiesRejected(probe, [{ input: {} }, { name: 5, input: {} }]),
  },
  {
    id: 'type/task-id',
    title: 'A call whose task_id is not a string is rejected',
    requirement: 'ORS-TYPE-020',
    async play(episode, probe) {
      const { tool, input } = await probe.sample();
      const response = await episode.startWith({ name: tool.name, input, task_id: 5 }).end();
      assertCallRejected(response, 'the call with the task_id 5');
    },
  },
  fixtureCheck({
    id: 'call/no-parameters',
    title: 'A tool whose input_schema is null accepts an empty object',
    requirement: 'ORS-CALL-016',
    tools: ['noargs'],
    async play(episode) {
      const response = await episode.call('noargs', {});
      assertCallSuccess(response, "the call of 'noargs' with {}");
    },
  }),
  {
    id: 'call/other-environment',
    title: "A call under another environment's name is rejected with 404",
    requirement: 'ORS-CALL-017',
    needs: ['call', 'environments'],
    async play(episode, probe) {
      const { tool, input } = await probe.sample();
      const environment = probe.target.other ?? '';
      const response = await episode.start(tool.name, input, { environment }).end();
      const place = `the session is one of '${episode.environment}', and /${environment}/call`;
      assertConforms(response.status === 404, `${place} returned ${describeCallOutcome(response)}`);
    },
  },
  {
    id: 'call/missing-parameter',
    title: 'A call without a required parameter is reported as failed',
    requirement: 'ORS-CALL-010',
    async run(probe) {
      const invalids = await collectInvalidInputs(
        probe,
        MAX_TOOLS,
        1,
        ({ isMissingRequired = false }) => isMissingRequired,
      );
      await assertInputsRejected(probe, invalids.slice(0, 1), 'no tool has a required parameter');
    },
  },
  {
    id: 'call/invalid-input',
    title: 'Inputs of a wrong type, out of range or outside an enum are rejected',
    requirement: 'ORS-CALL-028',
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const invalids = await collectInvalidInputs(probe, 3, 1, ({ isMissingRequired }) => !isMissingRequired);
      const reason = 'the first tools have no parameter that could be of a wrong type';
      await assertInputsRejected(probe, invalids, reason);
    },
  },
  {
    id: 'call/invalid-inputs',
    title: 'No tool accepts an input that does not match its input_schema',
    requirement: 'ORS-CALL-028',
    profile: 'full',
    cost: { sessions: 1, calls: MAX_TOOLS * MAX_INPUTS },
    async run(probe) {
      const invalids = await collectInvalidInputs(probe, MAX_TOOLS, MAX_INPUTS);
      await assertInputsRejected(probe, invalids, 'no tool has a parameter');
    },
  },
  {
    id: 'call/valid-inputs',
    title: 'A valid input never causes a failure of the server',
    requirement: 'ORS-CALL-046',
    profile: 'full',
    cost: { sessions: 6, calls: 24 },
    async run(probe) {
      for (const tool of (await callableTools(probe)).slice(0, 6)) {
        const { valid } = await probe.inputsOf(tool.inputSchema, { random: 3 });
        // A new episode per tool, because a call may finish it.
        const episode = await probe.episode();
        for (const { value } of [...valid.slice(0, 1), ...valid.slice(1).slice(-3)]) {
          const response = await episode.start(tool.name, value).end();
          const what = `'${tool.name}' with ${JSON.stringify(value)}`;
          assumeEventStream(response);
          if (isStillRunning(response)) {
            probe.note(`${what} took longer than ${probe.timeoutMs / 1_000} s`);
            break;
          }
          assertConforms(isReported(response), `${what} returned ${describeCallOutcome(response)}`);
          if (response.streamError !== undefined) probe.note(`${what} returned ${describeCallOutcome(response)}`);
        }
      }
    },
  },
  fixtureCheck({
    id: 'call/invalid-does-not-run',
    title: 'A tool does not run with an input that does not match its input_schema',
    requirement: 'ORS-CALL-027',
    tools: ['nested', 'runs'],
    calls: 12,
    async play(episode) {
      await episode.call('nested', VALID);
      assume((await episode.runs('nested')) === 1, "'runs' does not count a valid call of 'nested'");
      await episode.start('nested', {}).end();
      for (const changed of INVALID) await episode.start('nested', { ...VALID, ...changed }).end();
      const more = (await episode.runs('nested')) - 1;
      assertConforms(more === 0, `of ${INVALID.length + 1} calls of 'nested' with invalid inputs, ${more} ran`);
    },
  }),
  fixtureCheck({
    id: 'call/defaults',
    title: 'A missing parameter gets the default of its schema',
    requirement: 'ORS-CALL-029',
    tools: ['count', 'fail'],
    calls: 3,
    async play(episode) {
      const first = await episode.call('count');
      assertCallSuccess(first, "'count' without its parameter");
      const count = requireText(first);
      assertConforms(count === '1', `'count' with the default 1 returned ${count}`);
      const { failure } = await episode.call('fail', { message: 'It failed here.' });
      assume(failure?.includes('It failed here.'), "'fail' does not report its message");
      const withDefault = await episode.call('fail');
      const isRight = withDefault.failure?.includes('It failed.');
      assertConforms(isRight, `'fail' with its default message returned ${describeCallOutcome(withDefault)}`);
    },
  }),
  fixtureCheck({
    id: 'call/enum',
    title: 'Each value of an enum is accepted, and no other',
    requirement: 'ORS-CALL-030',
    tools: ['nested'],
    calls: 5,
    async play(episode) {
      for (const mode of ['fast', 'slow']) await assertNested(episode, { mode }, true);
      for (const mode of ['medium', 'FAST', '']) await assertNested(episode, { mode }, false);
    },
  }),
  fixtureCheck({
    id: 'call/nested-bounds',
    title: 'Bounds and nested objects of an input_schema are enforced, and boundary values are accepted',
    requirement: 'ORS-CALL-031',
    tools: ['nested'],
    calls: 12,
    async play(episode) {
      const inside = [
        { point: { x: 0, y: 10 }, level: 1, tags: [] },
        { level: 5, tags: ['a', 'b', 'c'] },
      ];
      for (const changed of inside) await assertNested(episode, changed, true);
      const outside = [
        { point: { x: 10.5, y: 1 } },
        { point: { x: 1, y: -1 } },
        { point: { x: 1 } },
        { point: { x: 1, y: 1, z: 1 } },
        { point: 'here' },
        { tags: ['a', 'b', 'c', 'd'] },
        { tags: [{}] },
        { level: 0 },
        { level: 6 },
        { level: 1.5 },
      ];
      for (const changed of outside) await assertNested(episode, changed, false);
    },
  }),
]);

/** Asserts that calls with these bodies are rejected with a 4xx status. */
async function assertBodiesRejected(probe: Probe, bodies: readonly object[]): Promise<void> {
  const episode = await probe.episode();
  for (const body of bodies) {
    const response = await episode.startWith(body).end();
    const what = `the call ${JSON.stringify(body)}`;
    assertConforms(isClientError(response), `${what} returned ${describeCallOutcome(response)}`);
  }
}

/** Asserts that all these inputs are rejected. `reason` says why there may be none. */
async function assertInputsRejected(probe: Probe, invalids: readonly InvalidInput[], reason: string): Promise<void> {
  assumeApplicable(invalids.length > 0, reason);
  const episode = await probe.episode();
  for (const { tool, example } of invalids) {
    const response = await episode.start(tool.name, example.value).end();
    assertCallRejected(response, `'${tool.name}' with ${JSON.stringify(example.value)} (${example.what})`);
  }
}

/** Returns whether the tool still ran at the time limit; then its stream has begun. */
const isStillRunning = ({ exchange, events }: ProbeResponse): boolean =>
  exchange.failure?.startsWith('no end within') === true && events.length > 0;

const isReported = ({ status, streamError, result, exchange }: ProbeResponse): boolean =>
  exchange.failure === undefined && status < 500 && (status >= 400 || streamError !== undefined || isRecord(result));

/** An input that does not match a tool's schema. */
interface InvalidInput {
  readonly tool: DiscoveredTool;
  readonly example: GeneratedInput;
}

/** Returns the tools that may be called and are fast. */
async function callableTools(probe: Probe): Promise<DiscoveredTool[]> {
  const isSlow = isFixture(probe.environment.name);
  return (await probe.callableTools()).filter(({ name }) => !isSlow || !SLOW_TOOLS.includes(name));
}

/** Collects up to `max` of the selected inputs for each of the first `maxTools` tools that have invalid inputs. */
async function collectInvalidInputs(
  probe: Probe,
  maxTools: number,
  max: number,
  isSelected: (example: GeneratedInput) => boolean = () => true,
): Promise<InvalidInput[]> {
  const invalids: InvalidInput[] = [];
  let count = 0;
  for (const tool of await callableTools(probe)) {
    if (count === maxTools) break;
    const invalid = await invalidInputs(probe, tool);
    if (invalid.length > 0) count++;
    const selected = invalid.filter(isSelected).slice(0, max);
    invalids.push(...selected.map((example) => ({ tool, example })));
  }
  return invalids;
}

/** Returns no inputs if the schema is not usable. */
async function invalidInputs(probe: Probe, { inputSchema }: DiscoveredTool): Promise<readonly GeneratedInput[]> {
  try {
    return (await probe.inputsOf(inputSchema)).invalid;
  } catch (error) {
    if (error instanceof UntestableError) return [];
    throw error;
  }
}

/** Asserts that `nested` accepts or rejects a valid input with these changes. */
async function assertNested(episode: ProbeEpisode, changed: Record<string, unknown>, isAccepted: boolean) {
  const input = { ...VALID, ...changed };
  const response = await episode.start('nested', input).end();
  assumeReadableResult(response);
  const isRight = isAccepted ? response.failure === undefined && response.isSuccess : isRejected(response);
  assertConforms(isRight, `'nested' with ${previewJson(input)} returned ${describeCallOutcome(response)}`);
}

const INVALID: readonly Record<string, unknown>[] = [
  { mode: 'medium' },
  { mode: null },
  { point: { x: 11, y: 1 } },
  { point: { x: 1 } },
  { point: [1, 2] },
  { tags: ['a', 'b', 'c', 'd'] },
  { level: 6 },
  { level: 'high' },
];
