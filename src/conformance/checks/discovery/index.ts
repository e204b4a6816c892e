import type { ConformanceCheck } from '../../check.ts';
import { environmentChecks } from './environments.ts';
import { errorChecks } from './errors.ts';
import { errorBodyChecks } from './errors-bodies.ts';
import { malformedChecks } from './errors-malformed.ts';
import { errorStatusChecks } from './errors-status.ts';
import { healthChecks } from './health.ts';
import { routeChecks } from './routes.ts';
import { sessionlessChecks } from './sessionless.ts';
import { splitChecks } from './splits.ts';
import { taskChecks } from './task.ts';
import { taskRangeChecks } from './task-range.ts';
import { taskListChecks } from './tasks.ts';
import { toolChecks } from './tools.ts';

export const discoveryChecks: readonly ConformanceCheck[] = [
  ...healthChecks,
  ...environmentChecks,
  ...routeChecks,
  ...toolChecks,
  ...splitChecks,
  ...taskListChecks,
  ...taskChecks,
  ...taskRangeChecks,
  ...sessionlessChecks,
  ...errorChecks,
  ...errorStatusChecks,
  ...errorBodyChecks,
  ...malformedChecks,
];
