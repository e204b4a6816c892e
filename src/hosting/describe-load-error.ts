import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode, errorMessage, isInstance } from '../core/index.ts';
import { isAuthorFile } from './own-files.ts';

/** What kept a module from loading, on one line, with the file and the line of it where they are known. */
export function describeLoadError(cause: unknown): string {
  if (!isInstance(cause, Error)) return errorMessage(cause);
  // TypeScript in a package of CommonJS becomes CommonJS, which cannot import this package.
  if (errorCode(cause) === 'ERR_REQUIRE_CYCLE_MODULE') {
    return 'it is CommonJS by its package.json; run there: npm pkg set type=module';
  }
  const [, file, place, text] = cause.message.match(/^(.+?):(\d+:\d+): ERROR: (.*)$/m) ?? [];
  if (file !== undefined) return `${text} (${shown(file)}:${place})`;
  const [firstLine = ''] = cause.message.split('\n');
  const where = placeIn(cause.stack ?? '');
  return where === undefined ? firstLine : `${firstLine} (${where})`;
}

/** The author's place that is first in a stack: Node's `file:line` above it, or a frame. */
function placeIn(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, place] =
      line.match(/^(?:.*\(| +at (?:async )?)?((?:file:\/\/|\/|[A-Z]:\\).+?):(\d+(?::\d+)?)\)?$/) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file;
    if (isAuthorFile(path)) return `${shown(path)}:${place}`;
  }
  return undefined;
}

const shown = (path: string): string => relative('', path);
