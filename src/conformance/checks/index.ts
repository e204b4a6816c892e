import type { ConformanceCheck } from '../check.ts';
import { callsChecks } from './calls/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { sessionsChecks } from './sessions/index.ts';
import { streamsChecks } from './streams/index.ts';

/** All checks of servers, in the order in which reports show them. */
export const serverChecks: readonly ConformanceCheck[] = [
  ...discoveryChecks,
  ...sessionsChecks,
  ...callsChecks,
  ...streamsChecks,
];
