import { unwatchFile } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache');

/** Environment that prints a line when an episode is torn down. */
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

/** Folder in the checkout, so that modules in it can import the package. Disposal deletes it. */
export interface Folder extends AsyncDisposable {
  /** Returns the path of a file for the command line. */
  readonly path: (name: string) => string;
  /** Saves a file as editors do: writes a temporary file, then renames it. */
  readonly save: (name: string, text: string) => Promise<void>;
}

export async function folder(files: Readonly<Record<string, string>>): Promise<Folder> {
  await mkdir(cache, { recursive: true });
  const at = await mkdtemp(join(cache, 'serve-'));
  const saved = new Set<string>();
  const save = async (name: string, text: string) => {
    saved.add(join(at, name));
    await writeFile(join(at, `${name}~`), text);
    await rename(join(at, `${name}~`), join(at, name));
  };
  for (const [name, text] of Object.entries(files)) await save(name, text);
  return {
    path: (name) => join('.cache', at.slice(cache.length + 1), name),
    save,
    async [Symbol.asyncDispose]() {
      // A server watches the file of its keys until its process ends, which may be this one.
      for (const file of saved) unwatchFile(file);
      await rm(at, { recursive: true });
    },
  };
}

/** Maximum wait for a process to end. */
const DEADLINE_MS = 45_000;

/**
 * Resolves when no process has this id and this process has registered that its connections are closed.
 *
 * @throws Error if it still runs after 45 s.
 */
export async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (; isRunning(pid); await delay(20)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs after ${DEADLINE_MS / 1000} s`);
  }
  // The event loop reads socket events between two turns; before that, a request could reuse a closed connection.
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
