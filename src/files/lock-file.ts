import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { errorCode } from '../core/index.ts';

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
    held.delete(lock);
    await unlink(lock).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  };
}

async function take(path: string, lock: string, advice: string): Promise<void> {
  const mine = `${process.pid} ${(await birthOf(process.pid)) ?? ''}`.trim();
  if (await create(lock, mine)) return;
  const [pid = '', birth] = (await readFile(lock, 'utf8')).trim().split(' ');
  // In a container, a process may have the id of the one before it.
  if (pid !== String(process.pid) && (await isThatProcess(Number(pid), birth))) {
    const sure = `if process ${pid} is certainly no user of it, delete ${lock}`;
    throw inUse(path, `process ${pid}, by ${lock}`, `${advice}; ${sure}`);
  }
  await writeFile(`${lock}.${process.pid}`, mine);
  await rename(`${lock}.${process.pid}`, lock);
}

async function create(lock: string, text: string): Promise<boolean> {
  try {
    await writeFile(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // On a full disk it is there, and empty.
    await unlink(lock).catch(() => undefined);
    throw error;
  }
}

/** An id is given again, so a process is known by when it began as well, where both are known. */
async function isThatProcess(pid: number, birth: string | undefined): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = await birthOf(pid);
  return birth === undefined || now === undefined || birth === now;
}

/** When a process began, and in which run of the machine; undefined where the system does not tell. */
async function birthOf(pid: number): Promise<string | undefined> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The name before it, in parentheses, may have spaces; the start is field 22.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return start === undefined ? undefined : `${boot.trim()}/${start}`;
  } catch {
    return undefined;
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

const codeOf = (error: unknown): unknown => errorCode(error);

const inUse = (path: string, owner: string, advice: string) => new Error(`${path} is in use by ${owner}; ${advice}`);
