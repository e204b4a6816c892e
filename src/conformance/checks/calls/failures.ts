import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { type ConformanceCheck, fixtureCheck } from '../../check.ts';
import { assumeReadableResult, describeCallOutcome, isFailure, outputText } from '../responses.ts';

const LINES = 'first line\nsecond line\n\nlast line';

export const failureChecks: readonly ConformanceCheck[] = [
  fixtureCheck({
    id: 'call/thrown',
    title: 'A tool that fails or throws, with or without a message, is reported with an error text',
    requirement: 'ORS-CALL-013',
    tools: ['crash', 'fail'],
    calls: 4,
    async run(probe) {
      const episode = await probe.episode();
      for (const tool of ['crash', 'fail']) {
        for (const message of ['It was wrong.', '']) {
          const response = await episode.start(tool, { message }).end();
          assumeReadableResult(response);
          const what = `'${tool}' with the message '${message}'`;
          const isReported = response.streamError !== undefined || isFailure(response.result);
          assertConforms(isReported, `${what} was answered with ${describeCallOutcome(response)}`);
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
    async run(probe) {
      const episode = await probe.episode();
      assume((await episode.text('count', { by: 1 })) === '1', "'count' does not count");
      await episode.start('crash', { message: 'It crashed.' }).end();
      await episode.start('fail', { message: 'It failed.' }).end();
      await episode.start('no_such_tool').end();
      const next = await episode.start('count', { by: 1 }).end();
      assertConforms(
        next.failure === undefined,
        `after calls that failed, a call was answered with ${describeCallOutcome(next)}`,
      );
      assertConforms(
        outputText(next) === '2',
        `after calls that failed, the count continued from 1 with ${outputText(next)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'call/several-lines',
    title: 'A multi-line error text arrives completely',
    requirement: 'ORS-CALL-015',
    tools: ['crash', 'fail'],
    calls: 2,
    async run(probe) {
      const episode = await probe.episode();
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
    async run(probe) {
      const response = await (await probe.episode()).start('fail', { message: 'It failed.' }).end();
      assumeReadableResult(response);
      assertConforms(
        response.status === 200 && isFailure(response.result),
        `a tool that failed was answered with ${describeCallOutcome(response)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'call/failure-text',
    title: 'The text of ok false names the tool, then the reason',
    requirement: 'ORS-CALL-032',
    tools: ['fail'],
    async run(probe) {
      const { result } = await (await probe.episode()).call('fail', { message: 'Wrong number.' });
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
    async run(probe) {
      const response = await (await probe.episode()).call('crash', { message: 'It crashed.' });
      assume(
        response.streamError !== undefined || isFailure(response.result),
        `a tool that threw was answered with ${describeCallOutcome(response)}`,
      );
      assertConforms(
        response.streamError !== undefined,
        `a tool that threw was answered with ${describeCallOutcome(response)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'call/cancelled',
    title: 'A cancelled tool still ends its stream',
    requirement: 'ORS-CALL-023',
    tools: ['cancel'],
    async run(probe) {
      const timeoutMs = Math.min(probe.timeoutMs, 10_000);
      const response = await (await probe.episode()).start('cancel', {}, { timeoutMs }).end();
      assumeReadableResult(response);
      const isOver = response.events.some(({ event }) => event === 'end' || event === 'error');
      assertConforms(isOver, `the call of a tool that was cancelled has no terminal event: ${response.summary}`);
    },
  }),
];
