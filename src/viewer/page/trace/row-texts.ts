import { blockOf, type Row } from './outline.ts';

/** What a row is, in a word or two. */
export function labelOf(row: Row): string {
  if (row.kind === 'heading') return 'Orphans';
  if (row.kind === 'gap') return 'not read yet';
  const block = blockOf(row);
  if (row.kind === 'message') return block.role ?? 'message';
  if (row.kind === 'call') return block.name ?? 'call';
  if (row.kind === 'thought') return 'thought';
  return row.blocks.length > 1 ? `result in ${row.blocks.length} pieces` : 'result';
}

export const isError = (row: Row): boolean => row.blocks.some((block) => block.is_error);

/** The sum of a row's rewards; null where it has none. */
export function rewardOf(row: Row): number | null {
  const rewards = row.blocks.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  return rewards.length === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0);
}

export const bytesOf = (row: Row): number => row.blocks.reduce((sum, block) => sum + block.bytes, 0);

/** The beginning of a row's text, on one line. */
export const previewOf = (row: Row): string =>
  row.blocks
    .slice(0, 3)
    .map(({ preview }) => preview)
    .map(withoutControls)
    .join('')
    .replace(/\s+/g, ' ')
    .slice(0, 160);

/** Escapes of terminals, other controls and marks that turn text around are left out; line ends and tabs stay. */
export const withoutControls = (text: string): string => text.replace(ESCAPES, '').replace(CONTROLS, '');

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
const ESCAPES = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|.)`, 'g');
const CONTROLS = /[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** `+1.2 s`, `+3:07`, `+2:05:09`: since the beginning of the trace. */
export function sinceStart(at: string, start: string): string {
  const seconds = Math.max(0, Date.parse(at) - Date.parse(start)) / 1_000;
  if (seconds < 60) return `+${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return `+${first}:${rest.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
