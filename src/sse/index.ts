export { decodeEvents } from './decode.ts';
export { encodeEvent, HEARTBEAT_COMMENT, type ServerSentEvent } from './encode.ts';
