import { relative } from 'node:path';
import { joinWords, plural } from '../../core/index.ts';
import type { ServerProcessEnd } from './generation.ts';

/** More than this many are counted. */
const MAX_NAMED = 3;

/** `a.ts`, `a.ts and b.ts`, `a.ts, b.ts, c.ts and 4 more`; as seen from the working directory. */
export function describePaths(paths: readonly string[]): string {
  return joinWords(
    paths.map((path) => relative('', path) || path),
    { max: MAX_NAMED },
  );
}

/** What follows the news that code has ended: its sessions, and how it ended if that was without a word. */
export function describeProcessEnd({ sessions, cause }: ServerProcessEnd): string {
  if (cause !== undefined) return `; the old process ended without a word (${cause}), and its sessions with it`;
  if (sessions.length === 0) return '';
  const named = joinWords(
    sessions.map(({ sid, environment }) => `${sid} (${environment})`),
    { max: MAX_NAMED },
  );
  return `; ${plural(sessions.length, 'session')} ended: ${named}`;
}
