import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import type { RequestHandler } from './request-handler.ts';
import { ServedRequest, ServedResponse } from './served-messages.ts';

/** A message that an application of Express has taken, or not. */
type Message = (IncomingMessage | ServerResponse) & { app?: Express };

lend(express.request, ServedRequest.prototype);
lend(express.response, ServedResponse.prototype);

/** The handler of an application that changes no prototype of what our own server gives it. */
export function expressHandler(app: Express): RequestHandler {
  // The casts: what Express has added to its own is lent to these.
  app.request = ServedRequest.prototype as Request;
  app.response = ServedResponse.prototype as unknown as Response;
  return (request, response, next) => {
    const handOn = next && returning([request, response], next);
    for (const message of [request, response] as const) (message as Message).app = app;
    // The cast: those it has from here on.
    app(request as Request, response as Response, handOn as (error?: unknown) => void);
  };
}

/** Members of Express that show on the messages that it has taken; on all others they are as if they were not there. */
function lend(from: object, to: object): void {
  const above = Object.getPrototypeOf(to) as object;
  for (const [name, { get, value: member }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    Object.defineProperty(to, name, {
      configurable: true,
      get(this: Message) {
        if (!this.app) return Reflect.get(above, name, this);
        return get ? get.call(this) : member;
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
}

/** Messages that a host application made are its own again when it gets them back. */
function returning(messages: readonly Message[], next: (error?: unknown) => void): (error?: unknown) => void {
  const prototypes = messages.map((message) => Object.getPrototypeOf(message) as object);
  return (error) => {
    for (const [index, message] of messages.entries()) {
      delete message.app;
      Object.setPrototypeOf(message, prototypes[index] ?? null);
    }
    next(error);
  };
}
