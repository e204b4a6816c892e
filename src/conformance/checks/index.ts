import type { ConformanceCheck } from '../check.ts';
import { contentChecks } from './calls/content.ts';
import { discoveryTypeChecks } from './calls/discovery-types.ts';
import { episodeCallChecks } from './calls/episodes.ts';
import { failureChecks } from './calls/failures.ts';
import { inputChecks } from './calls/inputs.ts';
import { resultChecks } from './calls/results.ts';
import { errorChecks } from './discovery/errors.ts';
import { malformedChecks } from './discovery/malformed.ts';
import { serverInfoChecks } from './discovery/server.ts';
import { sessionlessChecks } from './discovery/sessionless.ts';
import { taskRangeChecks } from './discovery/task-range.ts';
import { taskChecks } from './discovery/tasks.ts';
import { toolChecks } from './discovery/tools.ts';
import { callOrderChecks } from './extensions/calls.ts';
import { messagesChecks } from './extensions/messages.ts';
import { openingChecks } from './extensions/opening.ts';
import { scoreGroupChecks } from './extensions/score-group.ts';
import { terminalChecks } from './extensions/terminal.ts';
import { createChecks } from './sessions/create.ts';
import { deleteChecks } from './sessions/delete.ts';
import { episodeChecks, flowChecks } from './sessions/episode.ts';
import { expiryChecks } from './sessions/expiry.ts';
import { idChecks } from './sessions/ids.ts';
import { lifecycleChecks } from './sessions/lifecycle.ts';
import { secretsChecks } from './sessions/secrets.ts';
import { stopChecks } from './sessions/stop.ts';
import { chunkChecks } from './streams/chunks.ts';
import { formChecks } from './streams/form.ts';
import { hostileChecks } from './streams/hostile.ts';
import { livenessChecks } from './streams/liveness.ts';
import { resumeChecks } from './streams/resume.ts';

/**
 * All checks of servers, in the order of reports.
 *
 * @example
 * const ids = serverChecks.map(({ id }) => id);
 */
export const serverChecks: readonly ConformanceCheck[] = [
  ...serverInfoChecks,
  ...toolChecks,
  ...taskChecks,
  ...taskRangeChecks,
  ...sessionlessChecks,
  ...errorChecks,
  ...malformedChecks,
  ...idChecks,
  ...createChecks,
  ...secretsChecks,
  ...lifecycleChecks,
  ...episodeChecks,
  ...deleteChecks,
  ...expiryChecks,
  ...flowChecks,
  ...stopChecks,
  ...resultChecks,
  ...inputChecks,
  ...failureChecks,
  ...episodeCallChecks,
  ...contentChecks,
  ...discoveryTypeChecks,
  ...formChecks,
  ...livenessChecks,
  ...chunkChecks,
  ...resumeChecks,
  ...hostileChecks,
  ...terminalChecks,
  ...messagesChecks,
  ...scoreGroupChecks,
  ...callOrderChecks,
  ...openingChecks,
];
