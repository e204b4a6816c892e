import type { Check } from '../../check.ts';
import { ensure, given } from '../../verdict.ts';
import { streamOf } from '../streams/stream-answers.ts';
import { broken, hasEnded } from './reading.ts';

export const eventChecks: readonly Check[] = [
  {
    id: 'call/event-stream',
    title: 'A call answers 200 as an event stream that begins with task_id',
    requirement: 'ORS-CALL-001',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const answer = await probe.sharedCallAsItCame();
      given(answer.status < 400 || answer.status >= 500, `the call was refused: ${answer.summary}`);
      ensure(answer.status === 200, `the call was answered with ${answer.summary}`);
      ensure(answer.contentType === 'text/event-stream', `the answer's Content-Type was '${answer.contentType}'`);
      const [first] = answer.events;
      ensure(first?.event === 'task_id', `the first event was '${first?.event ?? 'none'}'`);
      ensure(first.data !== '', 'the data of the task_id event was empty');
    },
  },
  {
    id: 'call/one-terminal-event',
    title: 'The stream of a call has exactly one terminal event, and it is the last',
    requirement: 'ORS-CALL-002',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const answer = await probe.sharedCallAsItCame();
      const names = streamOf(answer).events.map(({ event }) => event);
      ensure(hasEnded(answer), `the stream of the call has no terminal event: ${broken(answer)}`);
      const terminal = names.filter((name) => name === 'end' || name === 'error');
      ensure(terminal.length === 1, `the events of the call were ${names.join(', ')}`);
      ensure(names.at(-1) === terminal[0], `after '${terminal[0]}' came '${names.at(-1)}'`);
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
      given(usual.events.length > 0, `with Accept: text/event-stream the call gave ${usual.summary}`);
      const { tool, input } = await probe.sample();
      for (const accept of ['application/json', null]) {
        // An episode of its own each, for the call may end it.
        const answer = await (await probe.episode()).call(tool.name, input, { accept });
        const sent = accept === null ? 'without Accept' : `with Accept: ${accept}`;
        ensure(answer.contentType === 'text/event-stream', `${sent} the call was answered with ${answer.summary}`);
      }
    },
  },
];
