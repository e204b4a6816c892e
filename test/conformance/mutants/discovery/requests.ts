import type { WireAnswer, WireRequest } from '../wire.ts';
import { isFor } from '../wire.ts';

/** Returns a response of the layer itself. */
export const answer = (status: number, json: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(json)),
});

export const refuse = (status: number, detail: unknown): WireAnswer => answer(status, { detail });

/** Returns the body as an object; empty if it is not an object. */
export function fields({ body }: WireRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Rejects or changes requests of one action by the fields of their body; undefined passes a request on. */
export const byFields =
  (
    action: string,
    change: (fields: Record<string, unknown>, request: WireRequest) => WireAnswer | Record<string, unknown> | undefined,
  ) =>
  (request: WireRequest): WireRequest | WireAnswer => {
    if (!isFor(request, action)) return request;
    const changed = change(fields(request), request);
    if (changed === undefined) return request;
    if (changed.body instanceof Buffer) return changed as unknown as WireAnswer;
    return { ...request, body: Buffer.from(JSON.stringify(changed)) };
  };

export const ACTIONS = ['tools', 'splits', 'tasks', 'num_tasks', 'task', 'task_range'];

export const isDiscovery = (request: WireRequest): boolean => ACTIONS.some((action) => isFor(request, action));
