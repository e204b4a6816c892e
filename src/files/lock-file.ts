import { readFile, unlink, writeFile } from 'node:fs/promises';

/** Those that this process holds. */
const held = new Set<string>();

/**
 * Claims a file for one user of it; the lock of a process that is gone is taken over.
 *
 * @param advice what to do where it is taken.
 * @returns gives it up.
 * @throws Error where another process, or another user in this one, has it.
 */
export async function lockFile(path: string, advice: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  if (held.has(lock)) throw inUse(path, 'this process already', advice);
  held.add(lock);
  try {
    await take(path, lock, advice);
  } catch (error) {
    held.delete(lock);
    throw error;
  }
  return async () => {
    await unlink(lock);
    held.delete(lock);
  };
}

async function take(path: string, lock: string, advice: string): Promise<void> {
  const mine = String(process.pid);
  if (await create(lock, mine)) return;
  const owner = (await readFile(lock, 'utf8')).trim();
  // In a container, a process may have the id of the one before it.
  if (owner !== mine && isAlive(Number(owner))) throw inUse(path, `process ${owner}, by ${lock}`, advice);
  await writeFile(lock, mine);
}

async function create(lock: string, text: string): Promise<boolean> {
  try {
    await writeFile(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return codeOf(error) === 'EPERM';
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const inUse = (path: string, owner: string, advice: string) => new Error(`${path} is in use by ${owner}; ${advice}`);
