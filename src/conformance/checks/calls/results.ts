import { isRecord, previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import { applies, ensure, given } from '../../verdict.ts';
import { givenGoodInput, isFailure, resultOf } from './reading.ts';

/** What stands around an output or an error. */
export const resultChecks: readonly Check[] = [
  {
    id: 'call/result-json',
    title: 'The data of chunk and end events, joined, is a JSON object',
    requirement: 'ORS-CALL-003',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const answer = await probe.sharedCall();
      const { resultText } = answer;
      given(resultText !== undefined, `the call gave no end event: ${answer.summary}`);
      ensure(answer.result !== undefined, `the joined data is no JSON: ${previewJson(resultText)}`);
      ensure(isRecord(answer.result), `the result is no object: ${previewJson(answer.result)}`);
    },
  },
  {
    id: 'type/ok',
    title: 'A result has a boolean ok',
    requirement: 'ORS-TYPE-024',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const result = resultOf(await probe.sharedCall());
      ensure(typeof result.ok === 'boolean', `ok was ${previewJson(result.ok)} in ${previewJson(result)}`);
    },
  },
  {
    id: 'type/success',
    title: 'A result with ok true has an output and no error',
    requirement: 'ORS-TYPE-022',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const answer = await probe.sharedCall();
      const result = resultOf(answer);
      givenGoodInput(answer);
      given(result.ok === true, `the call did not succeed: ${previewJson(result)}`);
      ensure(isRecord(result.output), `the output of a success was ${previewJson(result.output)}`);
      ensure((result.error ?? null) === null, `a success came with the error ${previewJson(result.error)}`);
    },
  },
  {
    id: 'type/failure',
    title: 'A result with ok false has a string error and no output',
    requirement: 'ORS-TYPE-023',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { result } = await (await probe.episode()).call('no_such_tool');
      applies(isFailure(result), 'an unknown tool is not reported by ok false here');
      ensure(typeof result.error === 'string', `the error of a failure was ${previewJson(result.error)}`);
      const { output = null } = result as { readonly output?: unknown };
      ensure(output === null, `a failure came with the output ${previewJson(output)}`);
    },
  },
];
