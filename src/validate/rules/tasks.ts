import { previewJson } from '../../core/index.ts';
import type { SplitEvidence, TaskListing } from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';

export const listingsAgree: ValidationRule = {
  name: 'listings-agree',
  levels: ['error', 'note'],
  sentence: 'A split lists the same tasks every time, in pages of any size and in every copy of the module',
  *check({ splits, secondCopyFailure }) {
    for (const split of splits) {
      if (split.failure !== undefined) {
        const message = `the tasks cannot be listed: ${split.failure}; fix the function that returns them`;
        yield { split: split.name, message };
      }
      yield* listingDifferences(split);
    }
    if (secondCopyFailure === undefined) return;
    const message = `a second copy of the module could not be loaded for comparison: ${secondCopyFailure}`;
    yield { level: 'note', message };
  },
};

/** Compares each listing with the first one. */
function* listingDifferences({ name, listings }: SplitEvidence): Generator<RuleFinding> {
  const [first, ...others] = listings;
  if (!first) return;
  const reported = new Set<string>();
  for (const other of others) {
    const difference = listingDifference(first, other);
    // Tasks that differ once usually differ in every listing; one finding per kind is enough.
    if (!difference || reported.has(difference.kind)) continue;
    reported.add(difference.kind);
    const advice = 'derive tasks from their index or a seed, not from the time or random numbers';
    yield { split: name, ...difference.position, message: `${difference.text}; ${advice}` };
  }
}

function listingDifference(first: TaskListing, other: TaskListing) {
  if (first.count !== other.count) {
    const text = `there were ${first.count} tasks, and asked for ${other.description} there are ${other.count}`;
    return { kind: 'count', position: {}, text };
  }
  for (const [index, task] of other.tasks) {
    const known = first.tasks.get(index);
    if (known === undefined || known === task) continue;
    const before = previewJson(JSON.parse(known));
    const text = `the task was ${before}, and asked for ${other.description} it is ${previewJson(JSON.parse(task))}`;
    return { kind: 'task', position: { index }, text };
  }
  // Sampled tasks may be beyond those of the first listing, so only pages are compared by length.
  const isPaged = !other.description.startsWith('one by one');
  if (!isPaged || first.tasks.size === other.tasks.size) return undefined;
  const text = `${first.tasks.size} tasks were listed, and asked for ${other.description} ${other.tasks.size} are`;
  return { kind: 'length', position: {}, text };
}

export const indexInRange: ValidationRule = {
  name: 'index-in-range',
  levels: ['error'],
  sentence: 'An index beyond the last task is rejected',
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
};

export const splitsHaveTasks: ValidationRule = {
  name: 'splits-have-tasks',
  levels: ['note'],
  sentence: 'Every split has tasks',
  *check({ splits }) {
    for (const { name, count } of splits) {
      if (count === 0) yield { split: name, message: 'the split has no tasks; remove it, or add some' };
    }
  },
};
