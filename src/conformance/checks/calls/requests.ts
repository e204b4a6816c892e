import type { Check } from '../../check.ts';
import { ensure } from '../../verdict.ts';
import { isRefused, outcome } from './reading.ts';

/** What a call's body may be. */
export const requestChecks: readonly Check[] = [
  {
    id: 'call/unknown-tool',
    title: 'A call of an unknown tool is reported',
    requirement: 'ORS-CALL-009',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const answer = await (await probe.episode()).start('no_such_tool').end();
      ensure(isRefused(answer), `the call of 'no_such_tool' was answered with ${outcome(answer)}`);
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
        const answer = await episode.startWith(body).end();
        ensure(is4xx(answer.status), `the call ${JSON.stringify(body)} was answered with ${outcome(answer)}`);
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
        const answer = await episode.startWith(body).end();
        ensure(is4xx(answer.status), `the call ${JSON.stringify(body)} was answered with ${outcome(answer)}`);
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
      const answer = await episode.startWith({ name: tool.name, input, task_id: 5 }).end();
      ensure(isRefused(answer), `the call with the task_id 5 was answered with ${outcome(answer)}`);
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
      const answer = await (await probe.episode()).call('noargs', {});
      ensure(answer.failure === undefined, `the call of 'noargs' with {} was answered with ${outcome(answer)}`);
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
      const answer = await episode.start(tool.name, input, { environment }).end();
      const place = `the session is one of '${episode.environment}', and /${environment}/call`;
      ensure(answer.status === 404, `${place} was answered with ${outcome(answer)}`);
    },
  },
];

const is4xx = (status: number) => status >= 400 && status < 500;
