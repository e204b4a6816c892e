import type { Logger } from 'pino';
import type { OpenApiDocument, RequestHandler, Route } from '../http/index.ts';
import type { Authenticate } from './auth/authenticate.ts';
import type { Journal } from './sessions/journal.ts';
import type { Recorder } from './sessions/recorder.ts';
import type { ServerSettings } from './settings.ts';

/**
 * A set of operations: an OpenAPI document, the table of its operations, and a handler for each of them.
 *
 * @example
 * const handlers = { ...operationHandlers, version: () => ({ name: 'mine', version: '1.0.0' }) };
 * const spec: ServerSpec = { ...generated, handlers }; // document, operations and validators by `ors generate`
 * const server = await serve([environment], { spec });
 */
export interface ServerSpec {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  readonly handlers: object;
  /**
   * Compiled validators of the component schemas of the document. Without them every request goes through Express.
   *
   * @default undefined
   */
  readonly validators?: Readonly<Record<string, (value: unknown) => boolean>>;
}

/**
 * Options for `createServer` and `serve`.
 *
 * @example
 * const server = await serve([environment], {
 *   authenticate: apiKeys(['ann:secret-1']),
 *   maxSessions: 500,
 *   callTimeoutMs: 600_000,
 * });
 */
export interface ServerOptions extends Partial<ServerSettings> {
  /**
   * Logger. At level info it receives one line per session, at debug one line per request.
   *
   * @default pino at level warn, writing to stderr
   */
  readonly log?: Logger;
  /**
   * Origins whose pages can use this server; `['*']` allows all.
   *
   * @default []
   */
  readonly corsOrigins?: readonly string[];
  /**
   * Authenticates requests, for example `apiKeys(...)`. A session belongs to the caller that creates it.
   *
   * @default undefined: everyone can use the server
   */
  readonly authenticate?: Authenticate;
  /**
   * Paths that need no authentication, such as `/metrics` or `/docs`, together with all paths below them; `/` is only the
   * landing page. `/health`, `/ready` and the viewer are always open.
   *
   * @default []
   */
  readonly openPaths?: readonly string[];
  /**
   * Host names that requests can use in addition to local names and IP addresses; `['*']` allows all. If set, pages of
   * other origins than `corsOrigins` are rejected too.
   *
   * @default undefined: all; `serve` without `authenticate` on a loopback address uses `[]`
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Replaces the operations of the standard with those that `ors generate` wrote for a changed specification.
   *
   * @default the operations of the standard
   */
  readonly spec?: ServerSpec;
  /**
   * Monotonic clock in milliseconds. For tests.
   *
   * @default performance.now
   */
  readonly now?: () => number;
  /**
   * Clock of durable episodes, in milliseconds since 1970: their contexts have it as `now`. For tests.
   *
   * @default Date.now
   */
  readonly wallClock?: () => number;
  /**
   * Validates JSON responses too, which sends every request through Express. For tests.
   *
   * @default false
   */
  readonly validateResponses?: boolean;
  /**
   * Handles valid requests without Express. Responses are the same.
   *
   * @default true
   */
  readonly fastPath?: boolean;
  /**
   * Loads Express a second after the start, so that the first request that needs it does not wait. A server that runs
   * for seconds, such as in a test, can do without.
   *
   * @default true
   */
  readonly preload?: boolean;
  /**
   * Handlers by path. Each one handles all requests below its path.
   *
   * @default {}
   */
  readonly mounts?: Readonly<Record<string, RequestHandler>>;
  /**
   * Serves a web page at `/ui/` that shows the environments, and the traces of a trace API that is mounted at `/v1`.
   *
   * @default true
   */
  readonly viewer?: boolean;
  /**
   * Records all episodes.
   *
   * @default undefined
   */
  readonly recorder?: Recorder;
  /**
   * Keeps the episodes of environments with `durability` or `snapshot`, so that they continue after this process has ended,
   * here or on another server with the same journal.
   *
   * @default undefined: episodes end with the process
   */
  readonly journal?: Journal;
  /**
   * Collects metrics and serves them at `GET /metrics`.
   *
   * @default true
   */
  readonly metrics?: boolean;
}
