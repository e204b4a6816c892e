import { truncate } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import { parseHttpResponses } from '../raw-http.ts';
import { chunks, eventStream } from '../responses.ts';

const KNOWN = ['task_id', 'chunk', 'end', 'error'];

export const formChecks = defineChecks({ profile: 'core', needs: ['call'] }, [
  {
    id: 'sse/well-formed',
    title: 'The stream of a call is well-formed: UTF-8, known fields, a blank line after each event',
    requirement: 'ORS-SSE-001',
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
    async run(probe) {
      const { events } = eventStream(await probe.sharedCall());
      const unknown = events.find(({ event }) => !KNOWN.includes(event));
      assertConforms(!unknown, `the stream has an event '${unknown?.event}' with the data ${unknown?.data}`);
    },
  },
  {
    id: 'sse/task-id-token',
    title: 'The data of task_id is one token on one line',
    requirement: 'ORS-SSE-012',
    async run(probe) {
      const event = eventStream(await probe.sharedCall()).events.find(({ event }) => event === 'task_id');
      assume(event && event.data !== '', 'the stream has no task_id');
      assertConforms(/^[^\s\p{Cc}]+$/u.test(event.data), `the task_id is ${JSON.stringify(event.data)}`);
    },
  },
  {
    id: 'sse/one-line',
    title: 'The data of an end event that comes without chunks is one line',
    requirement: 'ORS-SSE-014',
    async run(probe) {
      const response = await probe.sharedCall();
      const end = eventStream(response).events.find(({ event }) => event === 'end');
      assume(end, 'the stream has no end event');
      assumeApplicable(chunks(response).length === 0, 'the result has chunks');
      assertConforms(end.dataLines.length === 1, `the data of end comes in ${end.dataLines.length} lines: ${end.data}`);
    },
  },
  {
    id: 'sse/no-cache',
    title: 'A stream has Cache-Control: no-cache or no-store',
    requirement: 'ORS-SSE-007',
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
    cost: { sessions: 1, calls: 1 },
    async play(episode, probe) {
      const { tool, input } = await probe.sample();
      const headers = [['Accept-Encoding', 'gzip, deflate, br']] as const;
      const response = await episode.call(tool.name, input, { headers });
      assume(response.isSuccess, `the call returned ${response.summary}`);
      const coding = response.header('content-encoding')?.trim().toLowerCase() || 'identity';
      assertConforms(coding === 'identity', `the stream has Content-Encoding: ${coding}`);
    },
  },
  {
    id: 'sse/connection-reusable',
    title: 'After a stream, its connection accepts another request',
    requirement: 'ORS-SSE-008',
    profile: 'full',
    cost: { sessions: 1, calls: 1 },
    async play(episode, probe) {
      const { tool, input } = await probe.sample();
      const connection = probe.openRaw(episode.callText(tool.name, input));
      const count = () => parseHttpResponses(connection.bytes).filter(({ isComplete }) => isComplete).length;
      await connection.waitUntil(() => count() === 1, probe.timeoutMs);
      const [response] = parseHttpResponses(connection.bytes);
      assume(response?.status === 200 && response.isComplete, `the call returned ${truncate(connection.text, 100)}`);

      connection.write(probe.textOf('GET', '/health'));
      await connection.waitUntil(() => count() === 2, probe.timeoutMs);
      const reason = connection.isClosed ? 'the server closed the connection' : 'a second request got no response';
      assertConforms(count() === 2, reason);
    },
  },
]);
