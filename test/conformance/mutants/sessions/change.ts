import type { Environment } from 'ors-kit';
import type { WireAnswer, WireRequest } from '../wire.ts';

/** The JSON body of a request; empty where there is none, or another value. */
export function bodyOf({ body }: WireRequest): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The session that a request names; empty where it names none, or several. */
export const sidOf = ({ headers }: WireRequest): string => {
  const sid = headers['x-session-id'];
  return typeof sid === 'string' ? sid : '';
};

/** The inline task of a `/create`. */
export const taskOf = (request: WireRequest): Record<string, unknown> =>
  Object(bodyOf(request).task_spec) as Record<string, unknown>;

export const withBody = (request: WireRequest, json: unknown): WireRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(json)),
});

export const withHeaders = (request: WireRequest, headers: WireRequest['headers']): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

export const json = (status: number, value: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

export const refusal = (status: number): WireAnswer => json(status, { detail: 'refused' });

type Setup = NonNullable<Environment['hooks']['setup']>;

/** The environments with something around the fixture's own setup. */
export const aroundSetup =
  (around: (setup: Setup, context: Parameters<Setup>[0]) => ReturnType<Setup>) =>
  (healthy: readonly Environment[]): readonly Environment[] =>
    healthy.map((environment) => {
      const { setup } = environment.hooks;
      if (environment.name !== 'conformance' || !setup) return environment;
      return { ...environment, hooks: { ...environment.hooks, setup: (context) => around(setup, context) } };
    });

/** The fixture's part of a task. */
export const fixtureTask = ({ task }: Parameters<Setup>[0]): Record<string, unknown> => task as never;
