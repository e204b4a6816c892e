export { decodeEvents } from './decode.ts';
export { encodeEvent, HEARTBEAT, type ServerSentEvent } from './encode.ts';
