import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** Says who asks; throws an HttpError for those who may not. Asked before the body is read. */
export type Admit = (request: IncomingMessage) => Promise<string | undefined>;

const callers = new WeakMap<IncomingMessage, Promise<string | undefined>>();
const admitted = new WeakMap<IncomingMessage, string>();

/** Who asks; both entrances may want to know, and `admit` is asked once. */
export function callerOf(request: IncomingMessage, admit: Admit | undefined): Promise<string | undefined> {
  if (!admit) return NOBODY;
  const known = callers.get(request);
  if (known) return known;
  const caller = admit(request).then((name) => {
    if (name !== undefined) admitted.set(request, name);
    return name;
  });
  callers.set(request, caller);
  return caller;
}

/** Name of the caller that was admitted; undefined before that, and on servers without authentication. */
export const admittedCaller = (request: IncomingMessage): string | undefined => admitted.get(request);

const NOBODY = Promise.resolve(undefined);

/** Turns those away who may not ask. */
export function admission(admit: Admit | undefined): RequestHandler {
  return async (request, _response, next) => {
    if (admit) await callerOf(request, admit);
    next();
  };
}
