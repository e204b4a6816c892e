import { previewJson } from '../../core/index.ts';
import type { SplitEvidence, TaskListing } from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';

/** What a list gives is compared by the first time that it was asked for. */
export const listingsAgree: ValidationRule = {
  name: 'listings-agree',
  levels: ['error', 'note'],
  sentence: 'A split lists the same tasks every time, in pages of any size and in every copy of the module',
  *check({ splits, secondCopyFailure }) {
    for (const split of splits) {
      if (split.failure !== undefined) {
        const message = `its tasks cannot be listed: ${split.failure}; mend the function that gives them`;
        yield { split: split.name, message };
      }
      yield* differences(split);
    }
    if (secondCopyFailure === undefined) return;
    const message = `no second copy of the module could be loaded to compare with: ${secondCopyFailure}`;
    yield { level: 'note', message };
  },
};

function* differences({ name, listings }: SplitEvidence): Generator<RuleFinding> {
  const [first, ...others] = listings;
  if (!first) return;
  const told = new Set<string>();
  for (const other of others) {
    const difference = differenceOf(first, other);
    // Once different, tasks differ in whichever way one asks; a word on each would be the same word.
    if (!difference || told.has(difference.kind)) continue;
    told.add(difference.kind);
    const advice = 'make tasks of their index, or of a seed, and not of the time or of chance';
    yield { split: name, ...difference.place, message: `${difference.text}; ${advice}` };
  }
}

function differenceOf(first: TaskListing, other: TaskListing) {
  if (first.count !== other.count) {
    const text = `there were ${first.count} tasks, and asked for ${other.description} there are ${other.count}`;
    return { kind: 'count', place: {}, text };
  }
  for (const [index, task] of other.tasks) {
    const known = first.tasks.get(index);
    if (known === undefined || known === task) continue;
    const text = `the task was ${previewJson(JSON.parse(known))}, and asked for ${other.description} it is ${previewJson(JSON.parse(task))}`;
    return { kind: 'task', place: { index }, text };
  }
  // Sampled tasks may stand behind those of the first listing, so only lists of pages are compared by length.
  const isList = !other.description.startsWith('one by one');
  if (!isList || first.tasks.size === other.tasks.size) return undefined;
  const text = `${first.tasks.size} tasks were listed, and asked for ${other.description} ${other.tasks.size} are`;
  return { kind: 'length', place: {}, text };
}
