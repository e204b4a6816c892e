import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache');

/** An environment that says when an episode of it is torn down. */
export const QUIZ = `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { submit: { description: 'End it.', run: () => ({ text: 'Over.', finished: true }) } },
    teardown: () => console.log('torn down'),
  });
`;

/** A folder inside of the checkout, so that the package is found from it; gone when it is disposed of. */
export interface Folder extends AsyncDisposable {
  /** As the command line is to name it. */
  readonly path: (name: string) => string;
  /** Saves as editors do: beside the file, and then in its place. */
  readonly save: (name: string, text: string) => Promise<void>;
}

export async function folder(files: Readonly<Record<string, string>>): Promise<Folder> {
  await mkdir(cache, { recursive: true });
  const at = await mkdtemp(join(cache, 'serve-'));
  const save = async (name: string, text: string) => {
    await writeFile(join(at, `${name}~`), text);
    await rename(join(at, `${name}~`), join(at, name));
  };
  for (const [name, text] of Object.entries(files)) await save(name, text);
  return {
    path: (name) => join('.cache', at.slice(cache.length + 1), name),
    save,
    [Symbol.asyncDispose]: () => rm(at, { recursive: true }),
  };
}

/** For a process that does not end. */
const DEADLINE_MS = 45_000;

/**
 * Resolves when there is no process of this id, and this process knows that their connections are closed.
 *
 * @throws Error if it still runs after 45 s.
 */
export async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (; isRunning(pid); await delay(20)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs after ${DEADLINE_MS / 1000} s`);
  }
  // What its sockets have to tell is read between two turns: else a request may still be sent on one of them.
  await setImmediate();
  await setImmediate();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
