import { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The requests of our own server. Express would give those that it takes another prototype, and then what both entrances
 * share is compiled for several shapes of objects; it leaves these as they are, see express-messages.ts.
 */
export class ServedRequest extends IncomingMessage {}

/** The answers to them. */
export class ServedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
