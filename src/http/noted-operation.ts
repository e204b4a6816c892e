import type { ServerResponse } from 'node:http';
import type { Route } from './operation.ts';

/** Which operation an answer is one of. */
export interface NotedOperation {
  readonly operationId: string;
  /** The parameters in its path. */
  readonly path: Readonly<Record<string, unknown>>;
}

const NOTED = Symbol('operation');

/** Notes on an answer which operation it is one of, for whoever watches requests. */
export function noteOperation(response: ServerResponse, operation: NotedOperation): void {
  (response as { [NOTED]?: NotedOperation })[NOTED] = operation;
}

/** Undefined for what is no operation: pages, and paths that there are not. */
export function notedOperation(response: ServerResponse): NotedOperation | undefined {
  return (response as { [NOTED]?: NotedOperation })[NOTED];
}

/** Finds the operation of a method and path. */
export function operationFinder(operations: Readonly<Record<string, Route>>) {
  const routes = Object.entries(operations).map(([operationId, { method, path }]) => ({
    operationId,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
  return (method: string, path: string): NotedOperation | undefined => {
    for (const { operationId, method: own, pattern } of routes) {
      const match = own === method ? pattern.exec(path) : undefined;
      if (match) return { operationId, path: { ...match.groups } };
    }
    return undefined;
  };
}
