import type { ClientCheck } from '../harness.ts';
import { responseChecks } from './answers.ts';
import { clientEpisodeChecks, clientPingChecks, sessionIdChecks } from './episodes.ts';
import { clientErrorChecks } from './errors.ts';
import { clientExtensionChecks } from './extensions.ts';
import { clientResumeChecks, retryChecks } from './recovery.ts';
import { clientChunkChecks, streamChecks } from './streams.ts';

/**
 * All checks of clients, in the order of reports.
 *
 * @example
 * const ids = clientChecks.map(({ id }) => id);
 */
export const clientChecks: readonly ClientCheck[] = [
  ...clientEpisodeChecks,
  ...sessionIdChecks,
  ...streamChecks,
  ...clientChunkChecks,
  ...clientResumeChecks,
  ...retryChecks,
  ...clientErrorChecks,
  ...responseChecks,
  ...clientPingChecks,
  ...clientExtensionChecks,
];
