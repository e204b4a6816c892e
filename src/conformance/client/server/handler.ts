import type { Operation, Received } from './received.ts';
import type { Reply } from './reply.ts';

/** Answers requests of one operation. */
export type Handler = (request: Received, reply: Reply) => void | Promise<void>;

export type Handlers = Record<Operation, Handler>;
