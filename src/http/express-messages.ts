import express, { type Express, type Request, type Response } from 'express';
import type { RequestHandler } from './request-handler.ts';
import { ServedRequest, ServedResponse } from './served-messages.ts';

/** The application that has taken a message. No name that others could use as well. */
const TAKER = Symbol('the application of Express that took it');

interface Message {
  [TAKER]?: Express;
}

lend(express.request, ServedRequest.prototype);
lend(express.response, ServedResponse.prototype);

/**
 * The handler of an application that changes no prototype of what our own server gives it. It is not for `use` of another
 * application, which would change those for all.
 */
export function expressHandler(app: Express): RequestHandler {
  // The casts: what Express has added to its own is lent to these.
  app.request = ServedRequest.prototype as Request;
  app.response = ServedResponse.prototype as unknown as Response;
  return (request, response, next) => {
    Object.assign(request, { [TAKER]: app });
    Object.assign(response, { [TAKER]: app });
    // The casts: once they are taken they are Express's.
    app(request as Request, response as Response, next as (error?: unknown) => void);
  };
}

/** Members of Express that are there on messages that an application has taken; on all others they read as if they were not. */
function lend(from: object, to: object): void {
  const above = Object.getPrototypeOf(to) as object;
  const define = (name: string, read: (message: Message) => unknown) =>
    Object.defineProperty(to, name, {
      configurable: true,
      get(this: Message) {
        return this[TAKER] ? read(this) : Reflect.get(above, name, this);
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  define('app', (message) => message[TAKER]);
  for (const name of Object.getOwnPropertyNames(from)) define(name, (message) => Reflect.get(from, name, message));
}
