import { truncate } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { parseHttpResponses } from './http-answers.ts';

export const reuseChecks: readonly ConformanceCheck[] = [
  {
    id: 'sse/connection-reusable',
    title: 'After a stream, its connection accepts another request',
    requirement: 'ORS-SSE-008',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const connection = probe.openRaw((await probe.episode()).callText(tool.name, input));
      const count = () => parseHttpResponses(connection.bytes).filter(({ isComplete }) => isComplete).length;
      await connection.waitUntil(() => count() === 1, probe.timeoutMs);
      const [response] = parseHttpResponses(connection.bytes);
      assume(
        response?.status === 200 && response.isComplete,
        `the call was answered with ${truncate(connection.text, 100)}`,
      );

      connection.write(probe.textOf('GET', '/health'));
      await connection.waitUntil(() => count() === 2, probe.timeoutMs);
      assertConforms(
        count() === 2,
        connection.isClosed ? 'the server closed the connection' : 'a second request got no answer',
      );
    },
  },
];
