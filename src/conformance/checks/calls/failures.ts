import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import {
  assertCallSuccess,
  assumeReadableResult,
  describeCallOutcome,
  isFailure,
  requireText,
  streamHasEnded,
} from '../responses.ts';

const LINES = 'first line\nsecond line\n\nlast line';

export const failureChecks = defineChecks({ profile: 'full' }, [
  fixtureCheck({
    id: 'call/thrown',
    title: 'A tool that fails or throws, with or without a message, is reported with an error text',
    requirement: 'ORS-CALL-013',
    tools: ['crash', 'fail'],
    calls: 4,
    async play(episode) {
      for (const tool of ['crash', 'fail']) {
        for (const message of ['It was wrong.', '']) {
          const response = await episode.start(tool, { message }).end();
          assumeReadableResult(response);
          const what = `'${tool}' with the message '${message}'`;
          const isReported = response.streamError !== undefined || isFailure(response.result);
          assertConforms(isReported, `${what} returned ${describeCallOutcome(response)}`);
          assertConforms(response.failure?.trim(), `${what} was reported without a text`);
        }
      }
    },
  }),
  fixtureCheck({
    id: 'call/usable-after-failure',
    title: 'Failed calls do not change the session and its state',
    requirement: 'ORS-CALL-014',
    tools: ['count', 'crash', 'fail'],
    calls: 5,
    async play(episode) {
      assume((await episode.text('count', { by: 1 })) === '1', "'count' does not count");
      await episode.start('crash', { message: 'It crashed.' }).end();
      await episode.start('fail', { message: 'It failed.' }).end();
      await episode.start('no_such_tool').end();
      const next = await episode.start('count', { by: 1 }).end();
      assertCallSuccess(next, 'after calls that failed, a call');
      const count = requireText(next);
      assertConforms(count === '2', `after calls that failed, the count continued from 1 with ${count}`);
    },
  }),
  fixtureCheck({
    id: 'call/several-lines',
    title: 'A multi-line error text arrives completely',
    requirement: 'ORS-CALL-015',
    tools: ['crash', 'fail'],
    calls: 2,
    async play(episode) {
      const texts: string[] = [];
      for (const tool of ['crash', 'fail']) {
        const { failure } = await episode.call(tool, { message: LINES });
        // A server may hide the text of an unexpected error.
        if (failure?.includes('first line')) texts.push(failure);
      }
      assumeApplicable(texts.length > 0, 'the server passes on no error texts');
      const broken = texts.find((text) => !text.includes(LINES));
      assertConforms(broken === undefined, `${JSON.stringify(LINES)} arrived as ${JSON.stringify(broken)}`);
    },
  }),
  fixtureCheck({
    id: 'call/tool-failure',
    title: "A failure of a tool's own logic is reported by ok false in an end event",
    requirement: 'ORS-CALL-037',
    tools: ['fail'],
    async play(episode) {
      const response = await episode.start('fail', { message: 'It failed.' }).end();
      assumeReadableResult(response);
      const isReported = response.status === 200 && isFailure(response.result);
      assertConforms(isReported, `a tool that failed returned ${describeCallOutcome(response)}`);
    },
  }),
  fixtureCheck({
    id: 'call/failure-text',
    title: 'The text of ok false names the tool, then the reason',
    requirement: 'ORS-CALL-032',
    tools: ['fail'],
    async play(episode) {
      const { result } = await episode.call('fail', { message: 'Wrong number.' });
      assumeApplicable(isFailure(result), 'a tool that fails is not reported by ok false here');
      const text = result.error;
      assume(typeof text === 'string', 'the error of ok false is not a string');
      const tool = text.search(/\bfail\b/);
      const reason = text.indexOf('Wrong number.');
      assertConforms(tool >= 0, `the text does not name the tool 'fail': ${text}`);
      assertConforms(reason > tool, `the text does not contain the reason 'Wrong number.' after the tool: ${text}`);
    },
  }),
  fixtureCheck({
    id: 'call/server-failure',
    title: "An unexpected failure is reported by an error event, unlike failures of a tool's own logic",
    requirement: 'ORS-CALL-038',
    tools: ['crash'],
    async play(episode) {
      const response = await episode.call('crash', { message: 'It crashed.' });
      const isErrorEvent = response.streamError !== undefined;
      const message = `a tool that threw returned ${describeCallOutcome(response)}`;
      assume(isErrorEvent || isFailure(response.result), message);
      assertConforms(isErrorEvent, message);
    },
  }),
  fixtureCheck({
    id: 'call/cancelled',
    title: 'A cancelled tool still ends its stream',
    requirement: 'ORS-CALL-023',
    tools: ['cancel'],
    async play(episode, probe) {
      const timeoutMs = Math.min(probe.timeoutMs, 10_000);
      const response = await episode.start('cancel', {}, { timeoutMs }).end();
      assumeReadableResult(response);
      const what = 'the call of a tool that was cancelled';
      assertConforms(streamHasEnded(response), `${what} has no terminal event: ${response.summary}`);
    },
  }),
]);
