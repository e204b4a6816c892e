import { tryParseJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { describeEvents } from './stream-answers.ts';

/** What surrounds an error event. */
export const errorEventChecks: readonly ConformanceCheck[] = [
  {
    id: 'sse/nothing-after-error',
    title: 'No end event follows an error event',
    requirement: 'ORS-SSE-009',
    profile: 'full',
    needs: ['fixture:crash'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const response = await crashed(probe);
      const names = response.events.map(({ event }) => event);
      assertConforms(
        !names.slice(names.indexOf('error')).includes('end'),
        `the stream of a crash is ${describeEvents(response)}`,
      );
    },
  },
  {
    id: 'sse/error-is-text',
    title: 'The data of an error event is text, not JSON',
    requirement: 'ORS-SSE-010',
    profile: 'full',
    needs: ['fixture:crash'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { streamError = '' } = await crashed(probe);
      assertConforms(
        !/^\s*[[{"]/.test(streamError) || tryParseJson(streamError) === undefined,
        `the data of error is the JSON ${streamError}`,
      );
    },
  },
  {
    id: 'sse/task-id-before-error',
    title: 'An error event comes after task_id',
    requirement: 'ORS-SSE-011',
    profile: 'full',
    needs: ['fixture:crash'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const response = await crashed(probe);
      const names = response.events.map(({ event }) => event);
      assertConforms(
        names.slice(0, names.indexOf('error')).includes('task_id'),
        `the stream of a crash is ${describeEvents(response)}`,
      );
    },
  },
];

/** The stream of a tool that crashed, if the server says so by an error event. */
async function crashed(probe: Probe): Promise<ProbeResponse> {
  const response = await (await probe.episode()).call('crash');
  assumeApplicable(response.streamError !== undefined, `a crash is told without an error event: ${response.summary}`);
  return response;
}
