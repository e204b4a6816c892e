import { createRequire } from 'node:module';
import type { Logger } from 'pino';

const require = createRequire(import.meta.url);

type WriteLine = (fields: object, message: string) => void;

/** What a server needs of a logger of pino. */
export interface ServerLog {
  isLevelEnabled(level: 'debug'): boolean;
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

/** pino at level warn, to standard error. It is loaded with the first line, which most servers never write. */
export function createWarningLog(): ServerLog {
  let logger: Logger | undefined;
  const loaded = (): Logger => {
    if (!logger) {
      const { pino } = require('pino') as typeof import('pino');
      logger = pino({ level: 'warn' }, process.stderr);
    }
    return logger;
  };
  return {
    isLevelEnabled: () => false,
    debug() {},
    info() {},
    warn: (fields, message) => loaded().warn(fields, message),
    error: (fields, message) => loaded().error(fields, message),
  };
}
