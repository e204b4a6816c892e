import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { eventStream } from '../streams/stream-answers.ts';
import { describeBrokenStream, streamHasEnded } from './reading.ts';

export const eventChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/event-stream',
    title: 'A call answers 200 as an event stream that begins with task_id',
    requirement: 'ORS-CALL-001',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCallRaw();
      assume(response.status < 400 || response.status >= 500, `the call was refused: ${response.summary}`);
      assertConforms(response.status === 200, `the call was answered with ${response.summary}`);
      assertConforms(
        response.contentType === 'text/event-stream',
        `the answer's Content-Type was '${response.contentType}'`,
      );
      const [first] = response.events;
      assertConforms(first?.event === 'task_id', `the first event was '${first?.event ?? 'none'}'`);
      assertConforms(first.data !== '', 'the data of the task_id event was empty');
    },
  },
  {
    id: 'call/one-terminal-event',
    title: 'The stream of a call has exactly one terminal event, and it is the last',
    requirement: 'ORS-CALL-002',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCallRaw();
      const names = eventStream(response).events.map(({ event }) => event);
      assertConforms(
        streamHasEnded(response),
        `the stream of the call has no terminal event: ${describeBrokenStream(response)}`,
      );
      const terminal = names.filter((name) => name === 'end' || name === 'error');
      assertConforms(terminal.length === 1, `the events of the call were ${names.join(', ')}`);
      assertConforms(names.at(-1) === terminal[0], `after '${terminal[0]}' came '${names.at(-1)}'`);
    },
  },
  {
    id: 'call/accept',
    title: 'A call is answered with an event stream even if Accept asks for JSON or is missing',
    requirement: 'ORS-CALL-008',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const usual = await probe.sharedCall();
      assume(usual.events.length > 0, `with Accept: text/event-stream the call gave ${usual.summary}`);
      const { tool, input } = await probe.sample();
      for (const accept of ['application/json', null]) {
        // An episode of its own each, for the call may end it.
        const response = await (await probe.episode()).call(tool.name, input, { accept });
        const sent = accept === null ? 'without Accept' : `with Accept: ${accept}`;
        assertConforms(
          response.contentType === 'text/event-stream',
          `${sent} the call was answered with ${response.summary}`,
        );
      }
    },
  },
];
