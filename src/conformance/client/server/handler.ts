import type { ReceivedRequest, ScriptedOperation } from './received.ts';
import type { ScriptedReply } from './reply.ts';

/** Answers requests of one operation. */
export type ScriptedHandler = (request: ReceivedRequest, reply: ScriptedReply) => void | Promise<void>;

export type ScriptedHandlers = Record<ScriptedOperation, ScriptedHandler>;
