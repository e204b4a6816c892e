import { relative } from 'node:path';
import type { Ending } from './generation.ts';

/** More than this many are counted. */
const MOST_NAMED = 3;

/** `a.ts`, `a.ts and b.ts`, `a.ts, b.ts, c.ts and 4 more`; as seen from the working directory. */
export function describePaths(paths: readonly string[]): string {
  return list(paths.map((path) => relative('', path) || path));
}

/** What follows the news that code has ended: its sessions, and how it ended if that was without a word. */
export function describeEnding({ sessions, cause }: Ending): string {
  if (cause !== undefined) return `; the old process ended without a word (${cause}), and its sessions with it`;
  if (sessions.length === 0) return '';
  const named = list(sessions.map(({ sid, environment }) => `${sid} (${environment})`));
  return `; ${sessions.length === 1 ? '1 session' : `${sessions.length} sessions`} ended: ${named}`;
}

function list(words: readonly string[]): string {
  const more = words.length - MOST_NAMED;
  if (more > 1) return `${words.slice(0, MOST_NAMED).join(', ')} and ${more} more`;
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ');
}
