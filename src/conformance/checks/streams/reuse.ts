import { truncate } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import { ensure, given } from '../../verdict.ts';
import { readAnswers } from './http-answers.ts';

export const reuseChecks: readonly Check[] = [
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
      const count = () => readAnswers(connection.bytes).filter(({ isWhole }) => isWhole).length;
      await connection.sees(() => count() === 1, probe.timeoutMs);
      const [answer] = readAnswers(connection.bytes);
      given(answer?.status === 200 && answer.isWhole, `the call was answered with ${truncate(connection.text, 100)}`);

      connection.write(probe.textOf('GET', '/health'));
      await connection.sees(() => count() === 2, probe.timeoutMs);
      ensure(count() === 2, connection.isOver ? 'the server closed the connection' : 'a second request got no answer');
    },
  },
];
