import { formatDuration, truncate } from '../../../core/index.ts';
import { UntestableError, ViolationError } from '../../verdict.ts';

/** The kinds of failure that adapters tell apart; docs/conformance-client.md says what each means. */
export const ERROR_KINDS = ['tool_refused', 'tool_crashed', 'session_lost', 'http', 'gave_up', 'other'] as const;

export interface ClientError {
  readonly kind: (typeof ERROR_KINDS)[number];
  readonly message: string;
  readonly status: number | null;
}

/** What the client made of a command. */
export type CommandOutcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: ClientError }
  /** It has not answered in time. */
  | { readonly kind: 'silence'; readonly afterMs: number }
  /** Its process ended instead. */
  | { readonly kind: 'end'; readonly how: string };

const MAX_COUNT = 300;

export const shorten = (text: string): string => truncate(text, MAX_COUNT);

/** An outcome for a message: `gave the error tool_refused 'no'`. */
export function describeOutcome(outcome: CommandOutcome<unknown>): string {
  if (outcome.kind === 'value') return `gave ${shorten(JSON.stringify(outcome.value) ?? 'nothing')}`;
  if (outcome.kind === 'silence') return `gave nothing within ${formatDuration(outcome.afterMs)}`;
  if (outcome.kind === 'end') return `ended the client's process: ${outcome.how}`;
  const { kind, message, status } = outcome.error;
  return `gave the error ${kind}${status === null ? '' : ` (${status})`} '${shorten(message)}'`;
}

/** A step on the way: its value, or Untestable. `what` names the command. */
export function assumeValue<T>(outcome: CommandOutcome<T>, what: string): T {
  if (outcome.kind === 'value') return outcome.value;
  throw new UntestableError(`${what} ${describeOutcome(outcome)}`);
}

/** The point in question: the value, or Violation. */
export function ensureValue<T>(outcome: CommandOutcome<T>, what: string): T {
  if (outcome.kind === 'value') return outcome.value;
  throw new ViolationError(`${what} ${describeOutcome(outcome)}`);
}

/** The point in question: that the client failed, in whichever way. */
export function ensureError(outcome: CommandOutcome<unknown>, what: string): ClientError {
  if (outcome.kind === 'error') return outcome.error;
  throw new ViolationError(`${what} ${describeOutcome(outcome)}`);
}
