export { decodeEvents } from './decode.ts';
export { encodeEvent, HEARTBEAT_COMMENT as HEARTBEAT, type ServerSentEvent } from './encode.ts';
