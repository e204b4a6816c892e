import type { Exchange } from '../../probe/index.ts';

export const OPERATIONS = [
  'health',
  'list_environments',
  'create_session',
  'create',
  'ping',
  'delete',
  'delete_session',
] as const;

export const ENVIRONMENT_OPERATIONS = [
  'tools',
  'splits',
  'tasks',
  'num_tasks',
  'task',
  'task_range',
  'task_tools',
  'prompt',
  'call',
] as const;

/** What a request asks for; `other` is everything that the standard does not have. */
export type ScriptedOperation = (typeof OPERATIONS)[number] | (typeof ENVIRONMENT_OPERATIONS)[number] | 'other';

/** A request as the scripted server got it. */
export interface ReceivedRequest {
  readonly operation: ScriptedOperation;
  /** The environment that the path names; undefined for paths without. */
  readonly environment: string | undefined;
  /** From the server's base URL on. */
  readonly path: string;
  readonly method: string;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** X-Session-ID. */
  readonly sid: string | undefined;
  /** The body as a JSON object; empty if it is none. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Times in it are milliseconds since the run began; `sentAt` is when the request arrived. */
  readonly exchange: Exchange;
}

/** Which operation a path means. A path without environment means the same as one with. */
export function operationOf(path: string): Pick<ReceivedRequest, 'operation' | 'environment'> {
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const [first = '', second] = segments;
  const known = <T extends string>(names: readonly T[], name: string | undefined) =>
    names.find((each) => each === name);
  if (segments.length === 1) {
    return {
      operation: known(OPERATIONS, first) ?? known(ENVIRONMENT_OPERATIONS, first) ?? 'other',
      environment: undefined,
    };
  }
  const operation = segments.length === 2 ? known(ENVIRONMENT_OPERATIONS, second) : undefined;
  return operation ? { operation, environment: decode(first) } : { operation: 'other', environment: undefined };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
