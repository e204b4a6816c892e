import { isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import {
  assertStatus,
  assumeAcceptedInput,
  callResult,
  describeBrokenStream,
  eventStream,
  isFailure,
  outputBlocks,
  sharedOutput,
  streamHasEnded,
} from '../responses.ts';

export const resultChecks = defineChecks({ profile: 'core', needs: ['call'] }, [
  {
    id: 'call/event-stream',
    title: 'A call returns 200 and an event stream that begins with task_id',
    requirement: 'ORS-CALL-001',
    async run(probe) {
      const response = await probe.sharedCallRaw();
      assume(response.status < 400 || response.status >= 500, `the call was rejected: ${response.summary}`);
      assertStatus(response, 200, 'the call');
      const { contentType } = response;
      assertConforms(contentType === 'text/event-stream', `the Content-Type of the response was '${contentType}'`);
      const [first] = response.events;
      assertConforms(first?.event === 'task_id', `the first event was '${first?.event ?? 'none'}'`);
      assertConforms(first.data !== '', 'the data of the task_id event was empty');
    },
  },
  {
    id: 'call/one-terminal-event',
    title: 'The stream of a call has exactly one terminal event, and it is the last',
    requirement: 'ORS-CALL-002',
    async run(probe) {
      const response = await probe.sharedCallRaw();
      const names = eventStream(response).events.map(({ event }) => event);
      const ending = describeBrokenStream(response);
      assertConforms(streamHasEnded(response), `the stream of the call has no terminal event: ${ending}`);
      const terminal = names.filter((name) => name === 'end' || name === 'error');
      assertConforms(terminal.length === 1, `the events of the call were ${names.join(', ')}`);
      assertConforms(names.at(-1) === terminal[0], `'${names.at(-1)}' follows the terminal event '${terminal[0]}'`);
    },
  },
  {
    id: 'call/accept',
    title: 'A call returns an event stream even if Accept asks for JSON or is missing',
    requirement: 'ORS-CALL-008',
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const usual = await probe.sharedCall();
      assume(usual.events.length > 0, `with Accept: text/event-stream the call returned ${usual.summary}`);
      const { tool, input } = await probe.sample();
      for (const accept of ['application/json', null]) {
        // A new episode each, because a call may finish it.
        const response = await (await probe.episode()).call(tool.name, input, { accept });
        const sent = accept === null ? 'without Accept' : `with Accept: ${accept}`;
        assertConforms(response.contentType === 'text/event-stream', `${sent} the call returned ${response.summary}`);
      }
    },
  },
  {
    id: 'call/result-json',
    title: 'The data of chunk and end events, joined, is a JSON object',
    requirement: 'ORS-CALL-003',
    async run(probe) {
      const response = await probe.sharedCall();
      const { resultText } = response;
      assume(resultText !== undefined, `the stream has no end event: ${response.summary}`);
      assertConforms(response.result !== undefined, `the joined data is not valid JSON: ${previewJson(resultText)}`);
      assertConforms(isRecord(response.result), `the result is not an object: ${previewJson(response.result)}`);
    },
  },
  {
    id: 'type/ok',
    title: 'A result has a boolean ok',
    requirement: 'ORS-TYPE-024',
    async run(probe) {
      const result = callResult(await probe.sharedCall());
      assertConforms(typeof result.ok === 'boolean', `ok was ${previewJson(result.ok)} in ${previewJson(result)}`);
    },
  },
  {
    id: 'type/success',
    title: 'A result with ok true has an output and no error',
    requirement: 'ORS-TYPE-022',
    async run(probe) {
      const response = await probe.sharedCall();
      const result = callResult(response);
      assumeAcceptedInput(response);
      assume(result.ok === true, `the call did not succeed: ${previewJson(result)}`);
      assertConforms(isRecord(result.output), `the output of a success was ${previewJson(result.output)}`);
      const { error = null } = result;
      assertConforms(error === null, `a result with ok true has the error ${previewJson(error)}`);
    },
  },
  {
    id: 'type/failure',
    title: 'A result with ok false has a string error and no output',
    requirement: 'ORS-TYPE-023',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async play(episode) {
      const { result } = await episode.call('no_such_tool');
      assumeApplicable(isFailure(result), 'an unknown tool is not reported by ok false here');
      assertConforms(typeof result.error === 'string', `the error of a failure was ${previewJson(result.error)}`);
      const { output = null } = result as { readonly output?: unknown };
      assertConforms(output === null, `a result with ok false has the output ${previewJson(output)}`);
    },
  },
  {
    id: 'call/output',
    title: 'An output has an array of blocks and a boolean finished',
    requirement: 'ORS-CALL-004',
    async run(probe) {
      const { blocks, finished } = await sharedOutput(probe);
      assertConforms(Array.isArray(blocks), `blocks was ${previewJson(blocks)}`);
      assertConforms(typeof finished === 'boolean', `finished was ${previewJson(finished)}`);
    },
  },
  {
    id: 'call/nullable-keys',
    title: 'An output has the keys metadata and reward, even if they are null',
    requirement: 'ORS-CALL-005',
    async run(probe) {
      const output = await sharedOutput(probe);
      const missing = ['metadata', 'reward'].filter((key) => !Object.hasOwn(output, key));
      assertConforms(missing.length === 0, `the output has no ${missing.join(' and no ')}: ${previewJson(output)}`);
    },
  },
  {
    id: 'call/blocks-not-empty',
    title: 'An output has at least one block',
    requirement: 'ORS-CALL-006',
    async run(probe) {
      const { blocks } = await sharedOutput(probe);
      assume(Array.isArray(blocks), 'the output has no array of blocks');
      assertConforms(blocks.length > 0, 'the output has no block');
    },
  },
  {
    id: 'call/reward-type',
    title: 'A reward is a number or null',
    requirement: 'ORS-CALL-007',
    async run(probe) {
      const { reward = null } = await sharedOutput(probe);
      assertConforms(reward === null || typeof reward === 'number', `the reward was ${previewJson(reward)}`);
    },
  },
  {
    id: 'type/metadata',
    title: "An output's metadata is an object, null or absent",
    requirement: 'ORS-TYPE-019',
    async run(probe) {
      const { metadata = null } = await sharedOutput(probe);
      assertConforms(metadata === null || isRecord(metadata), `metadata was ${previewJson(metadata)}`);
    },
  },
  fixtureCheck({
    id: 'call/finished-default',
    title: 'finished is false if a tool does not set it',
    requirement: 'ORS-CALL-033',
    tools: ['count'],
    async play(episode) {
      const { finished } = (await episode.call('count')).output;
      assertConforms(finished === false, `finished was ${previewJson(finished)} in the output of 'count'`);
    },
  }),
  {
    id: 'type/block-type',
    title: "A block's type is exactly text or image",
    requirement: 'ORS-TYPE-007',
    async run(probe) {
      const other = outputBlocks(await sharedOutput(probe)).find(({ type }) => type !== 'text' && type !== 'image');
      assertConforms(other === undefined, `a block has the type ${previewJson(other?.type)}`);
    },
  },
  {
    id: 'type/text-block',
    title: 'A text block has a string as text',
    requirement: 'ORS-TYPE-002',
    async run(probe) {
      const texts = outputBlocks(await sharedOutput(probe)).filter(({ type }) => type === 'text');
      assumeApplicable(texts.length > 0, 'the output has no text block');
      const wrong = texts.find(({ text }) => typeof text !== 'string');
      assertConforms(wrong === undefined, `a text block is ${previewJson(wrong)}`);
    },
  },
  {
    id: 'type/detail',
    title: 'The detail of a text block, if present, is an object',
    requirement: 'ORS-TYPE-003',
    async run(probe) {
      const prompt = (await (await probe.sharedEpisode()).prompt()).json;
      const blocks = [
        ...outputBlocks(await sharedOutput(probe)),
        ...(Array.isArray(prompt) ? prompt.filter(isRecord) : []),
      ];
      const wrong = blocks.find(({ type, detail = null }) => type === 'text' && detail !== null && !isRecord(detail));
      assertConforms(wrong === undefined, `the detail of a text block is ${previewJson(wrong?.detail)}`);
    },
  },
]);
