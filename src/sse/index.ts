export { decodeEvents, encodeEvent, HEARTBEAT_COMMENT, type ServerSentEvent } from './events.ts';
