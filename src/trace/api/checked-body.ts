import type { RolloutEvents, TraceInput, TracePatch, ValidationIssue } from '../../../generated/trace.ts';
import { validators } from '../../../generated/trace-validators.ts';
import { pointerSegment, valueAt } from '../../core/index.ts';
import type { OperationRequest } from '../../http/index.ts';
import { describeValueKind, TraceStoreError, validationError } from '../model/index.ts';
import { expectedText } from './expectation.ts';

interface BodySchemas {
  readonly TraceInput: TraceInput;
  readonly TracePatch: TracePatch;
  readonly RolloutEvents: RolloutEvents;
}

/** The body of a request as what the schema of this name says. @throws Refusal VALIDATION with all that is wrong. */
export function validateBody<Name extends keyof BodySchemas>(
  name: Name,
  { body, problems }: Pick<OperationRequest<unknown>, 'problems'> & { readonly body: unknown },
): BodySchemas[Name] {
  const issues: ValidationIssue[] = problems
    .filter(({ kind }) => kind === 'number')
    .map(({ pointer }) => ({
      path: pointer,
      rule: 'number_not_preserved',
      expected: 'a number that a double keeps; send others as text',
      got: 'a number that it changes',
    }));
  const validate = validators[name];
  if (!validate(body)) {
    for (const { instancePath = '', keyword = 'type', message = 'valid', params = {} } of validate.errors ?? []) {
      const field = 'additionalProperty' in params ? pointerSegment(String(params.additionalProperty)) : '';
      const path = instancePath + field;
      const rule = keyword === 'additionalProperties' ? 'unknown_field' : keyword;
      const expected = keyword === 'additionalProperties' ? 'left out' : expectedText(message);
      issues.push({
        path: path.slice(0, MAX_PATH).toWellFormed(),
        rule,
        expected,
        got: describeValueKind(valueAt(body, path)),
      });
    }
  }
  if (issues.length > 0) throw new TraceStoreError(validationError(issues));
  return body as BodySchemas[Name];
}

/** A client may have made a name of a megabyte, and the answer quotes it. */
const MAX_PATH = 200;
