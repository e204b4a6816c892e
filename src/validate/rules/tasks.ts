import { previewJson } from '../../core/index.ts';
import { type TaskListing, uniqueBy } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

export const taskRules: readonly ValidationRule[] = [
  {
    name: 'listings-agree',
    levels: ['error', 'note'],
    sentence: 'A split lists the same tasks every time, in pages of any size and in every copy of the module',
    explanation:
      'Trainers shuffle, shard and resume by index, so a task that changes between two requests is trained ' +
      'on twice or never. Each split is listed again in pages of other sizes, and from a second copy of ' +
      'the module. Derive tasks from their index or from a seed.',
    untested: ({ splits }) =>
      splits.some(({ failure, listings }) => failure !== undefined || listings.length > 1)
        ? undefined
        : 'no split was listed twice',
    *check({ splits, secondCopyFailure }) {
      for (const { name: split, failure, listings } of splits) {
        if (failure !== undefined) {
          yield { split, message: `the tasks cannot be listed: ${failure}; fix the tasks of this split` };
        }
        const [first, ...others] = listings;
        const differences = others.flatMap((other) => (first && listingDifference(first, other)) ?? []);
        // Tasks that differ once usually differ in every listing; one finding per kind is enough.
        for (const { position, text } of uniqueBy(differences, ({ kind }) => kind)) {
          const advice = 'derive tasks from their index or a seed, not from the time or random numbers';
          yield { split, ...position, message: `${text}; ${advice}` };
        }
      }
      if (secondCopyFailure === undefined) return;
      const message = `a second copy of the module could not be loaded for comparison: ${secondCopyFailure}`;
      yield { level: 'note', message };
    },
  },
  {
    name: 'index-in-range',
    levels: ['error'],
    sentence: 'An index beyond the last task is rejected',
    explanation:
      'Clients find the end of a split by its last index. Indexes at and beyond num_tasks are requested; ' +
      'each must be rejected. Correct the number of tasks, or reject the index.',
    untested: ({ splits }) =>
      splits.some(({ outOfRange }) => outOfRange.length > 0) ? undefined : 'no number of tasks is known',
    *check({ splits }) {
      for (const { name, count, outOfRange } of splits) {
        for (const { description, index, refused } of outOfRange) {
          if (refused) continue;
          const advice = 'respond with status 400, or correct num_tasks';
          const message = `the server returned ${description} ${index}, although num_tasks is ${count}; ${advice}`;
          yield { split: name, index, message };
        }
      }
    },
  },
  {
    name: 'splits-have-tasks',
    levels: ['note'],
    sentence: 'Every split has tasks',
    explanation: 'An empty split ends a training run before it begins. Remove the split, or add tasks.',
    *check({ splits }) {
      for (const { name, count } of splits) {
        if (count === 0) yield { split: name, message: 'the split has no tasks; remove it, or add some' };
      }
    },
  },
];

function listingDifference(first: TaskListing, other: TaskListing) {
  const whenListed = `when listed ${other.description}`;
  if (first.count !== other.count) {
    const text = `the split has ${first.count} tasks, but ${other.count} ${whenListed}`;
    return { kind: 'count', position: {}, text };
  }
  for (const [index, task] of other.tasks) {
    const known = first.tasks.get(index);
    if (known === undefined || known === task) continue;
    const text = `the task is ${previewJson(JSON.parse(known))}, but ${whenListed} ${previewJson(JSON.parse(task))}`;
    return { kind: 'task', position: { index }, text };
  }
  // Sampled tasks may be beyond those of the first listing, so only pages are compared by length.
  if (!other.isPaged || first.tasks.size === other.tasks.size) return undefined;
  const text = `${first.tasks.size} tasks are listed, but ${other.tasks.size} ${whenListed}`;
  return { kind: 'length', position: {}, text };
}
