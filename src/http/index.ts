export { type Admit, admittedCaller } from './admit.ts';
export type { Destination, PathRequest } from './app.ts';
export { cors } from './cors.ts';
export { type DescriptorWatch, NO_DESCRIPTORS, watchDescriptors } from './descriptors.ts';
export { type DirectOptions, direct } from './direct.ts';
export { closeAfterAnswers, endHttp } from './end-http.ts';
export { type Exposure, refuseExposure } from './exposure.ts';
export { givenKey } from './given-key.ts';
export { guardHost } from './guard-host.ts';
export {
  BodyTooLarge,
  type DescribeFailure,
  HttpError,
  InvalidRequest,
  NotJson,
  WrongMediaType,
} from './http-error.ts';
export { type LazyApp, lazyApp } from './lazy-app.ts';
export { addressOf, createNodeServer, listen } from './node-server.ts';
export { notedOperation } from './noted-operation.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { OpenAnswers } from './open-answers.ts';
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
  type Route,
} from './operation.ts';
export { createPipeline, failure, jsonValue, type Outcome, type Pipeline } from './pipeline.ts';
export type { RequestHandler } from './request-handler.ts';
export type { StreamWatch } from './send-events.ts';
export type { SendOptions } from './send-outcome.ts';
export { destroySockets, guardSockets } from './sockets.ts';
export type { OpenApiDocument } from './validator.ts';
