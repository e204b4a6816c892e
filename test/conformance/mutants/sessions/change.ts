import type { Environment } from 'ors-kit';
import type { WireAnswer, WireRequest } from '../wire.ts';

/** Returns the JSON body of a request; empty if it is not an object. */
export function bodyOf({ body }: WireRequest): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Returns the session id of a request; empty if there is none or several. */
export const sidOf = ({ headers }: WireRequest): string => {
  const sid = headers['x-session-id'];
  return typeof sid === 'string' ? sid : '';
};

/** Returns the inline task of a `/create`. */
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

/** Wraps the setup of the fixture. */
export const aroundSetup =
  (around: (setup: Setup, context: Parameters<Setup>[0]) => ReturnType<Setup>) =>
  (healthy: readonly Environment[]): readonly Environment[] =>
    healthy.map((environment) => {
      const { setup } = environment.hooks;
      if (environment.name !== 'conformance' || !setup) return environment;
      return { ...environment, hooks: { ...environment.hooks, setup: (context) => around(setup, context) } };
    });

/** Returns the fields of a task that the fixture uses. */
export const fixtureTask = ({ task }: Parameters<Setup>[0]): Record<string, unknown> => task as never;
