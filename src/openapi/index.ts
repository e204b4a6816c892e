export type { components, operations, paths } from '../../generated/ors.ts';
export * from '../../generated/ors-client.ts';
export { decodeEvents, type ServerSentEvent } from '../sse/index.ts';
