import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { compiled } from './contestants.ts';

/** The flags of a Node that loads a module of `bench/servers` before its program. */
export const preloaded = (
  name: 'collected' | 'profiled' | 'stalls',
  ...flags: readonly string[]
): readonly string[] => [...flags, '--import', pathToFileURL(compiled(name)).href];

/** What `collected.ts` or `stalls.ts` answers in that process. */
export async function ask(child: ChildProcess): Promise<number> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('The server ended before it answered');
  });
  const answered = once(child, 'message', { signal });
  child.send('');
  const [answer] = await Promise.race([answered, ended]).finally(() => settled.abort());
  return answer;
}
