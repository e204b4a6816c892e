import { oneLine, sum, truncate } from '../../../core/index.ts';
import { rowBlock, type TranscriptRow } from './outline.ts';

/** What a row is, in a word or two. */
export function rowLabel(row: TranscriptRow): string {
  if (row.kind === 'heading') return 'Orphans';
  if (row.kind === 'gap') return 'not read yet';
  const block = rowBlock(row);
  if (row.kind === 'message') return block.role ?? 'message';
  if (row.kind === 'call') return block.name ?? 'call';
  if (row.kind === 'thought') return 'thought';
  return row.blocks.length > 1 ? `result in ${row.blocks.length} pieces` : 'result';
}

export const rowHasError = (row: TranscriptRow): boolean => row.blocks.some((block) => block.is_error);

/** The sum of a row's rewards; null where it has none. */
export function rowReward(row: TranscriptRow): number | null {
  const rewards = row.blocks.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  return rewards.length === 0 ? null : sum(rewards);
}

export const rowBytes = (row: TranscriptRow): number => sum(row.blocks.map((block) => block.bytes));

/** The beginning of a row's text, on one line. */
export const rowPreview = (row: TranscriptRow): string =>
  truncate(
    oneLine(
      row.blocks
        .slice(0, 3)
        .map(({ preview }) => preview)
        .join(''),
    ),
    160,
  );

/** `+1.2 s`, `+3:07`, `+2:05:09`: since the beginning of the trace. */
export function sinceStart(at: string, start: string): string {
  const seconds = Math.max(0, Date.parse(at) - Date.parse(start)) / 1_000;
  if (seconds < 60) return `+${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return `+${first}:${rest.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
