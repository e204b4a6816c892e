import type { ConformanceCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';

/** Without a split, and with one that is no string. */
async function ensureRefused(probe: Probe, action: string, rest: Record<string, unknown>): Promise<void> {
  for (const json of [rest, { split: 5, ...rest }]) {
    const { status, summary } = await probe.send('POST', probe.path(action), { json, follow: true });
    assertConforms(
      status >= 400 && status < 500,
      `/${action} with ${JSON.stringify(json)} was answered with ${summary}`,
    );
  }
}

/** Bodies of discovery requests. Those of /tasks and /num_tasks are looked at with discovery. */
export const bodyChecks: readonly ConformanceCheck[] = [
  {
    id: 'type/task-split',
    title: '/task rejects a body without a string split',
    requirement: 'ORS-TYPE-029',
    profile: 'discovery',
    run: (probe) => ensureRefused(probe, 'task', { index: 0 }),
  },
  {
    id: 'type/task-range-split',
    title: '/task_range rejects a body without a string split',
    requirement: 'ORS-TYPE-030',
    profile: 'discovery',
    run: (probe) => ensureRefused(probe, 'task_range', { start: 0, stop: 1 }),
  },
];
