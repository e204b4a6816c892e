import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { assumeAcceptedInput, callResult, isFailure } from './reading.ts';

/** What stands around an output or an error. */
export const resultChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/result-json',
    title: 'The data of chunk and end events, joined, is a JSON object',
    requirement: 'ORS-CALL-003',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      const { resultText } = response;
      assume(resultText !== undefined, `the call gave no end event: ${response.summary}`);
      assertConforms(response.result !== undefined, `the joined data is no JSON: ${previewJson(resultText)}`);
      assertConforms(isRecord(response.result), `the result is no object: ${previewJson(response.result)}`);
    },
  },
  {
    id: 'type/ok',
    title: 'A result has a boolean ok',
    requirement: 'ORS-TYPE-024',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const result = callResult(await probe.sharedCall());
      assertConforms(typeof result.ok === 'boolean', `ok was ${previewJson(result.ok)} in ${previewJson(result)}`);
    },
  },
  {
    id: 'type/success',
    title: 'A result with ok true has an output and no error',
    requirement: 'ORS-TYPE-022',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      const result = callResult(response);
      assumeAcceptedInput(response);
      assume(result.ok === true, `the call did not succeed: ${previewJson(result)}`);
      assertConforms(isRecord(result.output), `the output of a success was ${previewJson(result.output)}`);
      assertConforms((result.error ?? null) === null, `a success came with the error ${previewJson(result.error)}`);
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
      assumeApplicable(isFailure(result), 'an unknown tool is not reported by ok false here');
      assertConforms(typeof result.error === 'string', `the error of a failure was ${previewJson(result.error)}`);
      const { output = null } = result as { readonly output?: unknown };
      assertConforms(output === null, `a failure came with the output ${previewJson(output)}`);
    },
  },
];
