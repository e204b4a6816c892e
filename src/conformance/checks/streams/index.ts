import type { ConformanceCheck } from '../../check.ts';
import { serverChunkChecks } from './chunks.ts';
import { errorEventChecks } from './error-events.ts';
import { exactResultChecks } from './exact-results.ts';
import { formChecks } from './form.ts';
import { hostileChecks } from './hostile.ts';
import { hostileLoadChecks } from './hostile-load.ts';
import { lingerChecks } from './linger.ts';
import { livenessChecks } from './liveness.ts';
import { resumeChecks } from './resume.ts';
import { resumeIdChecks } from './resume-ids.ts';
import { resumeRunningChecks } from './resume-running.ts';
import { reuseChecks } from './reuse.ts';
import { slowReaderChecks } from './slow-readers.ts';

export const streamsChecks: readonly ConformanceCheck[] = [
  ...formChecks,
  ...reuseChecks,
  ...livenessChecks,
  ...slowReaderChecks,
  ...errorEventChecks,
  ...serverChunkChecks,
  ...exactResultChecks,
  ...resumeChecks,
  ...resumeRunningChecks,
  ...resumeIdChecks,
  ...lingerChecks,
  ...hostileChecks,
  ...hostileLoadChecks,
];
