import type { Logger } from 'pino';
import type { OpenApiDocument } from '../http/index.ts';
import type { Results } from './calls/results.ts';
import type { Environments } from './environments.ts';
import type { SessionRegistry } from './sessions/registry.ts';
import type { Settings } from './settings.ts';

/** What all operations of one server share. */
export interface ServerContext {
  readonly environments: Environments;
  readonly sessions: SessionRegistry;
  readonly settings: Settings;
  /** Decides how long completed calls are remembered. */
  readonly results: Results;
  /** Milliseconds since some fixed moment; tests bring their own. */
  readonly now: () => number;
  readonly document: OpenApiDocument;
  readonly log: Logger;
  /** Logs a line that it has not logged before, at level warn; keeps a bounded number of lines in mind. */
  readonly logOnce: (line: string) => void;
  /** Whether new episodes are taken; a closing server takes none. */
  readonly isReady: () => boolean;
}
