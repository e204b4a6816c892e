export type { Admit } from './admit.ts';
export { createApp, type Destination, type PathRequest } from './app.ts';
export { type DirectOptions, direct } from './direct.ts';
export { HttpError } from './http-error.ts';
export { notedOperation } from './noted-operation.ts';
export {
  type AnyHandlers,
  type EventStream,
  type Handler,
  type Handlers,
  type OperationRequest,
  PlainText,
  Reply,
  type Route,
} from './operation.ts';
export { createPipeline, type Pipeline } from './pipeline.ts';
export type { StreamWatch } from './send-events.ts';
export type { SendOptions } from './send-outcome.ts';
export type { OpenApiDocument } from './validator.ts';
