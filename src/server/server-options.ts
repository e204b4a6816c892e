import type { Logger } from 'pino';
import type { OpenApiDocument, RequestHandler, Route } from '../http/index.ts';
import type { Authenticate } from './auth/authenticate.ts';
import type { Recorder } from './record.ts';
import type { ServerSettings } from './settings.ts';

/** A server's own operations: a document that has them, its operation table and a handler for each. */
export interface ServerSpec {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  readonly handlers: object;
  /** The document's component schemas, compiled. Default: none, and then every request goes through Express. */
  readonly validators?: Readonly<Record<string, (value: unknown) => boolean>>;
}

export interface ServerOptions extends Partial<ServerSettings> {
  /** Default: pino at level warn, to standard error. */
  readonly log?: Logger;
  /** Origins whose pages may use this server; `['*']` for all. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Says who asks; such as `apiKeys(...)`. Sessions belong to whoever creates them. Default: everybody may ask. */
  readonly authenticate?: Authenticate;
  /** Paths that need nobody to be known, such as `/metrics` or `/docs`, with all below them; `/` is the landing page alone. Default: /health, /ready and the viewer. */
  readonly openPaths?: readonly string[];
  /**
   * Host names, besides local ones and addresses, by which requests may call this server; `['*']` for any. Given, it
   * also turns away pages of other origins than `corsOrigins`. Default: any; see `serve`.
   */
  readonly allowedHosts?: readonly string[];
  /** Replaces the standard's operations; what `ors generate` makes of a changed spec. Default: the standard's own. */
  readonly spec?: ServerSpec;
  /** Milliseconds since some fixed moment. Default: a clock that is never set back. */
  readonly now?: () => number;
  /** Checks JSON answers against the spec as well, which takes every request through Express. For tests. Default: false. */
  readonly validateResponses?: boolean;
  /** Lets plainly valid requests pass Express by. Default: true; what is answered is the same. */
  readonly fastPath?: boolean;
  /** Other handlers of this server, each for what lies below its path; what is asked there is theirs. Default: none. */
  readonly mounts?: Readonly<Record<string, RequestHandler>>;
  /** Shows people, at /ui/, what is served here, and the traces of a trace API that is mounted at /v1. Default: true. */
  readonly viewer?: boolean;
  /** Is told of every episode. Default: nobody is. */
  readonly recorder?: Recorder;
  /** Counts and measures, and gives it at `GET /metrics`. Default: true. */
  readonly metrics?: boolean;
}
