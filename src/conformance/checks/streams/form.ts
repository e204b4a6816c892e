import type { ConformanceCheck } from '../../check.ts';
import type { ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { chunks, eventStream } from './stream-answers.ts';

const KNOWN = ['task_id', 'chunk', 'end', 'error'];

/** What the bytes of any stream show. */
export const formChecks: readonly ConformanceCheck[] = [
  {
    id: 'sse/well-formed',
    title: 'The stream of a call is well-formed: UTF-8, known fields, a blank line after each event',
    requirement: 'ORS-SSE-001',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { problems, anomalies } = eventStream(await probe.sharedCall());
      for (const oddity of anomalies) probe.note(oddity);
      assertConforms(problems.length === 0, problems.join('; '));
    },
  },
  {
    id: 'sse/known-events',
    title: 'The stream of a call has no events other than task_id, chunk, end and error',
    requirement: 'ORS-SSE-002',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const { events } = eventStream(await probe.sharedCall());
      const unknown = events.find(({ event }) => !KNOWN.includes(event));
      assertConforms(
        unknown === undefined,
        `the stream has an event '${unknown?.event}' with the data ${unknown?.data}`,
      );
    },
  },
  {
    id: 'sse/task-id-token',
    title: 'The data of task_id is one token on one line',
    requirement: 'ORS-SSE-012',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const event = eventStream(await probe.sharedCall()).events.find(({ event }) => event === 'task_id');
      assume(event && event.data !== '', 'the stream names no task_id');
      assertConforms(/^[^\s\p{Cc}]+$/u.test(event.data), `the task_id is ${JSON.stringify(event.data)}`);
    },
  },
  {
    id: 'sse/one-line',
    title: 'The data of an end event that comes without chunks is one line',
    requirement: 'ORS-SSE-014',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      const end = eventStream(response).events.find(({ event }) => event === 'end');
      assume(end, 'the stream has no end event');
      assumeApplicable(chunks(response).length === 0, 'the result came in chunks');
      assertConforms(end.dataLines.length === 1, `the data of end comes in ${end.dataLines.length} lines: ${end.data}`);
    },
  },
  {
    id: 'sse/no-cache',
    title: 'A stream has Cache-Control: no-cache or no-store',
    requirement: 'ORS-SSE-007',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      eventStream(response);
      const value = response.header('cache-control');
      assertConforms(/\bno-(cache|store)\b/i.test(value ?? ''), `Cache-Control is ${value ?? 'missing'}`);
    },
  },
  {
    id: 'sse/not-compressed',
    title: 'A stream is not compressed, even for a client that accepts gzip',
    requirement: 'ORS-SSE-007',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const headers = [['Accept-Encoding', 'gzip, deflate, br']] as const;
      const response = await (await probe.episode()).call(tool.name, input, { headers });
      assume(response.isSuccess, `the call was answered with ${response.summary}`);
      const coding = contentCoding(response);
      assertConforms(coding === 'identity', `the stream came with Content-Encoding: ${coding}`);
    },
  },
];

const contentCoding = (response: ProbeResponse) =>
  response.header('content-encoding')?.trim().toLowerCase() || 'identity';
