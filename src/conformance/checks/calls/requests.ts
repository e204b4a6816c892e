import type { ConformanceCheck } from '../../check.ts';
import { assertConforms } from '../../verdict.ts';
import { describeCallOutcome, isRejected } from './reading.ts';

/** What a call's body may be. */
export const requestChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/unknown-tool',
    title: 'A call of an unknown tool is reported',
    requirement: 'ORS-CALL-009',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const response = await (await probe.episode()).start('no_such_tool').end();
      assertConforms(
        isRejected(response),
        `the call of 'no_such_tool' was answered with ${describeCallOutcome(response)}`,
      );
    },
  },
  {
    id: 'call/input-no-object',
    title: 'A call whose input is null, an array or missing is answered with a 4xx status',
    requirement: 'ORS-CALL-011',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const { name } = (await probe.sample()).tool;
      const episode = await probe.episode();
      for (const body of [{ name, input: null }, { name, input: [] }, { name }]) {
        const response = await episode.startWith(body).end();
        assertConforms(
          is4xx(response.status),
          `the call ${JSON.stringify(body)} was answered with ${describeCallOutcome(response)}`,
        );
      }
    },
  },
  {
    id: 'call/no-name',
    title: 'A call whose name is missing or not a string is answered with a 4xx status',
    requirement: 'ORS-CALL-012',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      for (const body of [{ input: {} }, { name: 5, input: {} }]) {
        const response = await episode.startWith(body).end();
        assertConforms(
          is4xx(response.status),
          `the call ${JSON.stringify(body)} was answered with ${describeCallOutcome(response)}`,
        );
      }
    },
  },
  {
    id: 'type/task-id',
    title: 'A call whose task_id is not a string is rejected',
    requirement: 'ORS-TYPE-020',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const episode = await probe.episode();
      const response = await episode.startWith({ name: tool.name, input, task_id: 5 }).end();
      assertConforms(
        isRejected(response),
        `the call with the task_id 5 was answered with ${describeCallOutcome(response)}`,
      );
    },
  },
  {
    id: 'call/no-parameters',
    title: 'A tool whose input_schema is null is called with an empty object',
    requirement: 'ORS-CALL-016',
    profile: 'full',
    needs: ['fixture:noargs'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const response = await (await probe.episode()).call('noargs', {});
      assertConforms(
        response.failure === undefined,
        `the call of 'noargs' with {} was answered with ${describeCallOutcome(response)}`,
      );
    },
  },
  {
    id: 'call/other-environment',
    title: "A call under another environment's name is answered with 404",
    requirement: 'ORS-CALL-017',
    profile: 'core',
    needs: ['call', 'environments'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const episode = await probe.episode();
      const environment = probe.target.other ?? '';
      const response = await episode.start(tool.name, input, { environment }).end();
      const place = `the session is one of '${episode.environment}', and /${environment}/call`;
      assertConforms(response.status === 404, `${place} was answered with ${describeCallOutcome(response)}`);
    },
  },
];

const is4xx = (status: number) => status >= 400 && status < 500;
