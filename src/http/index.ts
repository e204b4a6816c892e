export { type Admit, admittedCaller, OpenResponses, readApiKey } from './authentication.ts';
export type { Destination, PathRequest } from './express-app.ts';
export { type LazyApp, lazyApp } from './express-loader.ts';
export { createFastPath } from './fast-path.ts';
export {
  BodyTooLarge,
  type DescribeFailure,
  HttpError,
  InvalidRequest,
  NotJson,
  WrongMediaType,
} from './http-error.ts';
export type { RequestHandler } from './node-server.ts';
export {
  addressOf,
  closeAfterResponses,
  createNodeServer,
  type DescriptorWatch,
  destroySockets,
  endHttp,
  guardSockets,
  listen,
  NO_DESCRIPTORS,
  oneAtATime,
  watchDescriptors,
} from './node-server.ts';
export type { OpenApiDocument, Route } from './openapi-operation.ts';
export { recordedOperation } from './openapi-operation.ts';
export {
  type AnyHandlers,
  ByteStream,
  EventList,
  type EventStream,
  type Handler,
  type Handlers,
  JsonPieces,
  JsonText,
  joinPieces,
  LateEvents,
  NOTHING,
  type OperationRequest,
  PlainText,
  RawBody,
  Reply,
  UNKNOWN_MEDIA_TYPE,
} from './operation.ts';
export { createPipeline, failure, jsonValue, type Pipeline } from './pipeline.ts';
export { cors, type Exposure, guardHost, refuseExposure, sendFailure } from './request-guards.ts';
export type { SendOptions, StreamWatch } from './send-response.ts';
