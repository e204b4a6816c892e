import { joinWords } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms } from '../../verdict.ts';
import { STOP_COST, stopServer } from './stopped-server.ts';

/** All of these look at the same stop, whichever of them asks first. */
export const stopChecks: readonly ConformanceCheck[] = [
  {
    id: 'stop/teardown',
    title: 'A stopping server tears down every session, including one with a running call',
    requirement: 'ORS-SHUT-001',
    profile: 'full',
    needs: ['process', 'fixture:sleep'],
    cost: STOP_COST,
    async run(probe) {
      const { output, keys } = await stopServer(probe);
      const left = Object.entries(keys).filter(([, key]) => !output.includes(`conformance: teardown ${key}`));
      assertConforms(
        left.length === 0,
        `the server stopped without tearing down ${joinWords(left.map(([what]) => what))}`,
      );
    },
  },
  {
    id: 'stop/streams-end',
    title: 'A stopping server ends running streams with a terminal event',
    requirement: 'ORS-SHUT-002',
    profile: 'full',
    needs: ['process', 'fixture:sleep'],
    cost: STOP_COST,
    async run(probe) {
      const { stream } = await stopServer(probe);
      const isEnded = stream.resultText !== undefined || stream.streamError !== undefined;
      const seen = [...stream.events.map(({ event }) => event), stream.exchange.failure ?? 'nothing more'];
      assertConforms(isEnded, `the stream of a running call ended without end or error; there came ${seen.join(', ')}`);
    },
  },
  {
    id: 'stop/no-new-episodes',
    title: 'A stopping server opens no new episodes',
    requirement: 'ORS-SHUT-003',
    profile: 'full',
    needs: ['process', 'fixture:sleep'],
    cost: STOP_COST,
    async run(probe) {
      const { lateResponses } = await stopServer(probe);
      assertConforms(
        !lateResponses.isSuccess,
        `a server that had been told to stop answered /create with ${lateResponses.summary}`,
      );
      probe.note(`while it stops, the server answers /create with ${lateResponses.summary}`);
    },
  },
  {
    id: 'stop/secrets-not-logged',
    title: 'The output of the server contains no value of a secret, up to its exit',
    requirement: 'ORS-SESS-047',
    profile: 'full',
    needs: ['process', 'fixture:sleep'],
    cost: STOP_COST,
    async run(probe) {
      const { output, secret } = await stopServer(probe);
      assertConforms(!output.includes(secret), 'the server printed the value of a secret');
    },
  },
];
