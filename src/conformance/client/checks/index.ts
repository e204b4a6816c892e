import type { ClientCheck } from '../check.ts';
import { responseChecks } from './answers.ts';
import { clientChunkChecks } from './chunks.ts';
import { clientEpisodeChecks } from './episodes.ts';
import { clientErrorChecks } from './errors.ts';
import { clientPingChecks } from './pings.ts';
import { clientResumeChecks } from './resumes.ts';
import { retryChecks } from './retries.ts';
import { sessionIdChecks } from './session-ids.ts';
import { streamChecks } from './streams.ts';

/** Everything that is checked of a client, in the order of reports. */
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
];
