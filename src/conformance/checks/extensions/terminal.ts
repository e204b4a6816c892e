import { equalJson, fieldsOf, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import { assumeReadableResult, describeCallOutcome, isRejected } from '../responses.ts';
import { errorText, NO_SUCH_TOOL } from '../steps.ts';
import {
  answerInput,
  NO_TOOLSET,
  openWithToolset,
  reasonOf,
  requireTerminalTool,
  toolList,
  toolNames,
} from './announced.ts';

/** Text that the fixture's tool `answer` grades with 1. */
const RIGHT = 'right';
const TEXT = '  It is\n"right" \u2603 \u{1f600} ';
/** Toolsets of the fixture, with a text that their terminal tool refuses, and one that it grades with 1. */
const TYPED_ANSWERS = [
  { toolset: 'integer_answer', wrong: 'the answer is 42', text: '42', value: 42 },
  { toolset: 'number_answer', wrong: '2.5 metres', text: '2.5', value: 2.5 },
  { toolset: 'boolean_answer', wrong: 'the first', text: 'true', value: true },
];
const VALIDATION = 'input_validation';

export const terminalChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'terminal/descriptor',
    title: 'terminal_tool of /tools has a name, an arg that is a string or null, and a description',
    requirement: 'ORS-EXT-001',
    profile: 'discovery',
    needs: [],
    async run(probe) {
      const { terminal_tool: tool = null } = await toolList(probe);
      assumeApplicable(tool !== null, 'the environment has no terminal tool');
      const { name, arg, description } = fieldsOf(tool);
      const hasArg = arg === null || (typeof arg === 'string' && arg !== '');
      const isRight = typeof name === 'string' && name !== '' && hasArg && typeof description === 'string';
      assertConforms(isRight, `terminal_tool is ${previewJson(tool)}`);
    },
  },
  {
    id: 'terminal/not-listed',
    title: 'The terminal tool is neither among the tools of /tools nor among those of /task_tools',
    requirement: 'ORS-EXT-002',
    async run(probe) {
      const { name } = await requireTerminalTool(probe);
      for (const [path, list] of [
        ['/tools', await toolList(probe)],
        ['/task_tools', await toolList(probe, await probe.sharedEpisode())],
      ] as const) {
        assertConforms(!toolNames(list).includes(name), `${path} lists '${name}', the terminal tool`);
      }
    },
  },
  {
    id: 'terminal/same-in-episode',
    title: '/task_tools announces the terminal tool of /tools',
    requirement: 'ORS-EXT-003',
    async run(probe) {
      const { terminal_tool: outside = null } = await toolList(probe);
      const { terminal_tool: inside = null } = await toolList(probe, await probe.sharedEpisode());
      assumeApplicable(outside !== null || inside !== null, 'the environment has no terminal tool');
      const announced = `/tools announces ${previewJson(outside)}, /task_tools ${previewJson(inside)}`;
      assertConforms(equalJson(outside, inside), announced);
    },
  },
  {
    id: 'terminal/callable',
    title: 'The terminal tool can be called although it is not listed',
    requirement: 'ORS-EXT-004',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: 2 },
    async play(episode, probe) {
      const tool = await requireTerminalTool(probe);
      const unknown = await episode.start(NO_SUCH_TOOL).end();
      const response = await episode.start(tool.name, answerInput(tool, 'conformance')).end();
      assumeReadableResult(response);
      const words = [NO_SUCH_TOOL, tool.name];
      const isKnown = errorText(response, words) !== errorText(unknown, words);
      assertConforms(isKnown, `'${tool.name}' is announced, and its call returned ${describeCallOutcome(response)}`);
    },
  },
  fixtureCheck({
    id: 'terminal/graded',
    title: 'An answer reaches the terminal tool exactly, and its result has the reward and finished true',
    requirement: 'ORS-EXT-005',
    tools: ['answer'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      for (const [text, expected] of [
        [RIGHT, 1],
        [TEXT, 0],
      ] as const) {
        const response = await (await probe.episode()).start('answer', { text }).end();
        assume(response.failure === undefined, `the answer was refused: ${describeCallOutcome(response)}`);
        const { reward, finished, metadata } = response.output;
        const graded = `the answer ${previewJson(text)} returned ${previewJson(response.output)}`;
        assertConforms(reward === expected && finished === true, graded);
        assertConforms(fieldsOf(metadata).text === text, graded);
      }
    },
  }),
  fixtureCheck({
    id: 'terminal/refused-answer',
    title: 'An answer that does not match the input of the terminal tool is refused, and the next one is graded',
    requirement: 'ORS-EXT-006',
    tools: ['answer'],
    calls: 2,
    async play(episode) {
      const refused = await episode.start('answer', {}).end();
      assume(isRejected(refused), `an answer without text returned ${refused.summary}`);
      const next = await episode.start('answer', { text: RIGHT }).end();
      const isGraded = next.failure === undefined && next.output.reward === 1;
      assertConforms(isGraded, `after an answer that was refused, the next one returned ${describeCallOutcome(next)}`);
    },
  }),
  fixtureCheck({
    id: 'terminal/typed-answer',
    title: 'A text of a number or boolean reaches a terminal tool that requires this type; other texts are refused',
    requirement: 'ORS-EXT-037',
    tools: [],
    sessions: 4,
    calls: 2 * TYPED_ANSWERS.length,
    async run(probe) {
      assumeApplicable(!(await openWithToolset(probe, NO_TOOLSET)).isOpen, 'the server ignores toolset_name');
      for (const { toolset, wrong, text, value } of TYPED_ANSWERS) {
        const { isOpen, episode, summary } = await openWithToolset(probe, toolset);
        assumeApplicable(isOpen, `the fixture has no toolset '${toolset}': ${summary}`);
        const refused = await episode.start('answer', { value: wrong }).end();
        const answered = `the answer ${previewJson(wrong)} of the toolset '${toolset}'`;
        assertConforms(isRejected(refused), `${answered} returned ${describeCallOutcome(refused)}`);
        const reason = reasonOf(refused) ?? VALIDATION;
        assertConforms(reason === VALIDATION, `${answered} was refused with the reason ${previewJson(reason)}`);
        const next = await episode.start('answer', { value: text }).end();
        const isGraded = next.failure === undefined && next.output.reward === 1;
        assertConforms(isGraded, `after ${answered}, ${previewJson(text)} returned ${describeCallOutcome(next)}`);
        const received = fieldsOf(next.output.metadata).value;
        assertConforms(received === value, `${previewJson(text)} reached the tool as ${previewJson(received ?? null)}`);
      }
    },
  }),
  fixtureCheck({
    id: 'terminal/once',
    title: 'Of three concurrent answers, exactly one is graded',
    requirement: 'ORS-EXT-007',
    tools: ['answer'],
    calls: 3,
    async play(episode) {
      const calls = Array.from({ length: 3 }, () => episode.start('answer', { text: RIGHT }));
      const responses = await Promise.all(calls.map((call) => call.end()));
      for (const response of responses) assumeReadableResult(response);
      const graded = responses.filter(({ failure }) => failure === undefined).length;
      assume(graded > 0, `three concurrent answers returned ${responses[0]?.summary}`);
      assertConforms(graded === 1, `of three concurrent answers, ${graded} were graded`);
    },
  }),
  fixtureCheck({
    id: 'terminal/waits',
    title: 'An answer is graded only after the running calls of its session have ended',
    requirement: 'ORS-EXT-008',
    tools: ['answer', 'sleep'],
    calls: 2,
    async play(episode) {
      const sleeping = episode.start('sleep', { ms: 500 });
      assume(await sleeping.event('task_id'), 'the stream has no task_id');
      const answered = await episode.start('answer', { text: RIGHT }).end();
      const slept = await sleeping.end();
      assume(answered.failure === undefined, `the answer was refused: ${describeCallOutcome(answered)}`);
      const { running } = fieldsOf(answered.output.metadata);
      assertConforms(running === 0, `${previewJson(running)} other calls ran when the answer was graded`);
      const isCounted = slept.failure === undefined;
      assertConforms(isCounted, `a call that ran before the answer returned ${describeCallOutcome(slept)}`);
    },
  }),
]);
