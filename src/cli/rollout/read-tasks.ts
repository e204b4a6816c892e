import { InvalidArgumentError } from 'commander';
import type { TaskRanges } from '../../rollout/index.ts';

/** Reads `0-99,250`: indexes and ranges with both ends, in any order; `100-` goes to the end. @throws InvalidArgumentError */
export function parseTaskRanges(text: string): TaskRanges {
  const ranges = text.split(',').map(readRange);
  return merge(ranges.sort((one, other) => one.start - other.start));
}

function readRange(text: string) {
  const [, first, dash, last] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(text) ?? [];
  const start = Number(first);
  const end = last ? Number(last) : start;
  if (
    first === undefined ||
    (!dash && last) ||
    !Number.isSafeInteger(end) ||
    !Number.isSafeInteger(start) ||
    end < start
  )
    throw new InvalidArgumentError(`'${text}' is neither an index nor a range; write it like 0-99,250 or 100-`);
  return { start, stop: dash && !last ? null : end + 1 };
}

/** No task twice. */
function merge(sorted: TaskRanges): TaskRanges {
  const merged: { start: number; stop: number | null }[] = [];
  for (const { start, stop } of sorted) {
    const last = merged.at(-1);
    if (!last || (last.stop !== null && last.stop < start)) merged.push({ start, stop });
    else if (last.stop !== null) last.stop = stop === null ? null : Math.max(last.stop, stop);
  }
  return merged;
}
