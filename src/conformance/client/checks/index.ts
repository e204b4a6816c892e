import type { ClientCheck } from '../check.ts';
import { answerChecks } from './answers.ts';
import { chunkChecks } from './chunks.ts';
import { episodeChecks } from './episodes.ts';
import { errorChecks } from './errors.ts';
import { pingChecks } from './pings.ts';
import { resumeChecks } from './resumes.ts';
import { retryChecks } from './retries.ts';
import { sessionIdChecks } from './session-ids.ts';
import { streamChecks } from './streams.ts';

/** Everything that is checked of a client, in the order of reports. */
export const clientChecks: readonly ClientCheck[] = [
  ...episodeChecks,
  ...sessionIdChecks,
  ...streamChecks,
  ...chunkChecks,
  ...resumeChecks,
  ...retryChecks,
  ...errorChecks,
  ...answerChecks,
  ...pingChecks,
];
