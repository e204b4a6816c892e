import type { Logger } from 'pino';
import { describeThrown } from '../../hosting/index.ts';
import type { OrsServer } from '../../server/index.ts';

/**
 * Hears errors that nothing catches, and rejections that nobody handles: a tool's code may fail when its call is over. Each
 * is logged as fatal, without the secrets of the sessions that there are. The process goes on, to be ended in good order,
 * with the exit code 1.
 */
export function onUncaughtError(server: Pick<OrsServer, 'redact'>, log: Logger, end: () => void): void {
  process.on('uncaughtException', (thrown) => {
    process.exitCode = 1;
    const error = server.redact(describeThrown(thrown, 'stack'));
    const what = 'an error that nothing caught ends this process';
    if (log.isLevelEnabled('fatal')) log.fatal({ error }, what);
    // A silent log is no reason to end without a word.
    else process.stderr.write(`ors: ${what}: ${error}\n`);
    end();
  });
}
