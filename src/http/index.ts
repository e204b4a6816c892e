export { type AppOptions, createApp, type Destination } from './app.ts';
export type { CorsOptions } from './cors.ts';
export { direct } from './direct.ts';
export { HttpError } from './http-error.ts';
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
