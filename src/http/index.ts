export { createApp, type Destination } from './app.ts';
export { direct } from './direct.ts';
export {
  type AnyHandlers,
  type EventStream,
  type Handler,
  type Handlers,
  type OperationRequest,
  Reply,
  type Route,
} from './operation.ts';
export { createPipeline, type Pipeline } from './pipeline.ts';
export type { OpenApiDocument } from './validator.ts';
