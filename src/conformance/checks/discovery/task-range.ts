import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertClientError } from '../responses.ts';
import { collectSplitListings, type SplitListing } from './requests.ts';

export const taskRangeChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/range',
    title: '/task_range returns a slice of the list from /tasks; without bounds, all of it',
    requirement: 'ORS-DISC-020',
    async run(probe) {
      for (const listing of await collectSplitListings(probe)) {
        const { length } = listing.tasks;
        // Only bounds within the split: servers may differ beyond it.
        const within = [{}, { start: length >> 1 }, { stop: 1 }, { start: 0, stop: Math.min(2, length) }];
        await assertSlices(probe, listing, within);
      }
    },
  },
  {
    id: 'discovery/range-negative',
    title: 'Negative bounds of /task_range count from the end',
    requirement: 'ORS-DISC-021',
    async run(probe) {
      for (const listing of await listingsWithRange(probe)) {
        const { length } = listing.tasks;
        const all = [
          { start: -1, stop: length },
          { start: 0, stop: -1 },
          { start: -2, stop: -1 },
        ];
        const within = all.filter(({ start }) => -start <= length);
        await assertSlices(probe, listing, within);
      }
    },
  },
  {
    id: 'discovery/range-clamped',
    title:
      '/task_range clamps bounds beyond the split and returns nothing for crossed or equal ones, or rejects them with 400',
    requirement: 'ORS-DISC-022',
    async run(probe) {
      for (const listing of await listingsWithRange(probe)) {
        const { length } = listing.tasks;
        const cases = [
          { start: 0, stop: length + 100 },
          { start: length + 10, stop: length + 20 },
          { start: -length - 5, stop: length },
          { start: length, stop: 0 },
          { start: 0, stop: 0 },
        ];
        for (const bounds of cases) {
          const response = await requestRange(probe, listing, bounds);
          if (response.status === 400)
            probe.note(`/task_range with ${previewJson(bounds)} of ${length} tasks returned 400`);
          else assertSlice(listing, bounds, response);
        }
      }
    },
  },
  {
    id: 'discovery/range-bound-type',
    title: '/task_range rejects a bound that is not an integer',
    requirement: 'ORS-DISC-036',
    needs: ['task'],
    async run(probe) {
      const { name: environment, split } = probe.environment;
      assumeApplicable(split, 'the environment has no task');
      for (const bad of [0.5, 'x', {}]) {
        for (const bounds of [{ start: bad }, { stop: bad }]) {
          const response = await requestRange(probe, { environment, split: split.name }, bounds);
          assertClientError(response, `/task_range with ${previewJson(bounds)}`);
        }
      }
    },
  },
  {
    id: 'discovery/ranges-join',
    title: 'Adjacent ranges, joined, equal the list from /tasks',
    requirement: 'ORS-DISC-037',
    async run(probe) {
      for (const listing of await collectSplitListings(probe)) {
        const { environment, split, tasks } = listing;
        const step = Math.ceil(tasks.length / 3);
        const joined: unknown[] = [];
        const ranges: string[] = [];
        for (let start = 0; start < tasks.length; start += step) {
          const stop = Math.min(start + step, tasks.length);
          const found = tasksOf(await requestRange(probe, listing, { start, stop }));
          assume(found, `/task_range of '${environment}' returned no tasks from ${start} to ${stop}`);
          joined.push(...found);
          ranges.push(`${start} to ${stop}`);
        }
        const what = `the ranges ${ranges.join(', ')} of split '${split}' of '${environment}'`;
        const lists = `${what} returned ${previewJson(joined)}, and /tasks lists ${previewJson(tasks)}`;
        assertConforms(equalJson(joined, tasks), lists);
      }
    },
  },
  {
    id: 'discovery/range-null',
    title: '/task_range treats a bound of null as absent',
    requirement: 'ORS-DISC-042',
    async run(probe) {
      for (const listing of await listingsWithRange(probe)) {
        const cases = [
          { start: null, stop: 1 },
          { start: 0, stop: null },
        ];
        await assertSlices(probe, listing, cases);
      }
    },
  },
]);

interface Bounds {
  readonly start?: unknown;
  readonly stop?: unknown;
}

const requestRange = (
  probe: Probe,
  { environment, split }: Pick<SplitListing, 'environment' | 'split'>,
  bounds: Bounds,
): Promise<ProbeResponse> => probe.discover('task_range', { split, ...bounds }, environment);

const tasksOf = ({ isSuccess, json }: ProbeResponse): unknown[] | undefined =>
  isSuccess && isRecord(json) && Array.isArray(json.tasks) ? json.tasks : undefined;

/** Returns the splits for which a plain range works. */
async function listingsWithRange(probe: Probe): Promise<SplitListing[]> {
  const all = await collectSplitListings(probe);
  for (const listing of all) {
    const response = await requestRange(probe, listing, { start: 0, stop: 1 });
    const what = `/task_range of '${listing.environment}' with the bounds 0 and 1`;
    assume(tasksOf(response), `${what} returned ${response.summary}`);
  }
  return all;
}

async function assertSlices(probe: Probe, listing: SplitListing, cases: readonly Bounds[]): Promise<void> {
  for (const bounds of cases) assertSlice(listing, bounds, await requestRange(probe, listing, bounds));
}

/** Asserts that the response equals the same slice of the complete list. */
function assertSlice({ environment, tasks }: SplitListing, bounds: Bounds, response: ProbeResponse): void {
  const expected = tasks.slice(Number(bounds.start ?? 0), Number(bounds.stop ?? tasks.length));
  const what = `/task_range of '${environment}', which lists ${tasks.length} tasks, with ${previewJson(bounds)}`;
  assertConforms(response.isSuccess, `${what} returned ${response.summary}`);
  const found = tasksOf(response);
  assertConforms(
    equalJson(found, expected),
    `${what} returned ${previewJson(found ?? response.json)} instead of ${previewJson(expected)}`,
  );
}
