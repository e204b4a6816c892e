import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasCode, sleep } from '../core/index.ts';
import { identityFromText, identityToText, processIdentity, processState, unlessMissing } from '../core/node/index.ts';
import type { CommandUser } from './command-user.ts';
import { SandboxError, type UidRange } from './types.ts';

const PREFIX = 'ors-sandbox-';
/** Identifies the process that owns the sandbox. Commands cannot see it. */
const OWNER_FILE = 'owner';
/** Identifies the process that holds the file system of the sandbox, if it has one. */
const HOLDER_FILE = 'holder';
/** Maximum number of random user ids to try, since other sandboxes use some of them. */
const UID_ATTEMPTS = 1_000;
/** Removal is retried, since processes that are being ended can still create files. */
const ATTEMPTS = 20;
const ATTEMPT_MS = 50;

const run = promisify(execFile);

/** Creates the folder of a sandbox in the folder for temporary files (TMPDIR), with the given folders in it. */
export async function createSandboxFolder(names: readonly string[], user?: CommandUser): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeIdentity(folder, OWNER_FILE);
  for (const name of names) {
    await mkdir(join(folder, name), { mode: 0o700 });
    if (user) await chown(join(folder, name), user.uid, user.gid);
  }
  // Another user has to pass through it (`tar` also opens it), and may only open its own folders in it.
  if (user) await chmod(folder, 0o755);
  return folder;
}

/**
 * Creates the folder of a sandbox, and reserves a kernel user of the range for it: its number is part of the folder's
 * name, which is unique. Removing the folder releases the user.
 */
export async function claimFolder(range: UidRange | undefined): Promise<{ folder: string; uid?: number }> {
  if (!range) return { folder: await createSandboxFolder([]) };
  const { folder, uid } =
    range.count === 1 ? { folder: await createSandboxFolder([]), uid: range.first } : await claim(range);
  // Another user has to pass through it, and may only open its own folders in it.
  await chmod(folder, 0o711);
  return { folder, uid };
}

async function claim({ first, count }: UidRange): Promise<{ folder: string; uid: number }> {
  for (let attempt = 1; attempt <= UID_ATTEMPTS; attempt++) {
    const uid = first + randomInt(count);
    const folder = join(tmpdir(), `${PREFIX}${uid}`);
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue;
      throw error;
    }
    await writeIdentity(folder, OWNER_FILE);
    return { folder, uid };
  }
  const range = `${first} to ${first + count - 1}`;
  throw new SandboxError('failed', `all user ids for sandboxes are in use (${range}); pass a larger uidRange`);
}

/** Records the process that holds the file system of a sandbox, so that another process can end it. */
export const recordHolder = (folder: string, pid: number): Promise<void> => writeIdentity(folder, HOLDER_FILE, pid);

const writeIdentity = (folder: string, name: string, pid?: number): Promise<void> =>
  writeFile(join(folder, name), identityToText(processIdentity(pid)), { mode: 0o600 });

/** Ends the process that holds the file system of a sandbox, which also removes its files. */
async function endHolder(folder: string): Promise<void> {
  // Another user could have written any number into it.
  if ((await lstat(folder)).uid !== process.getuid?.()) return;
  const holder = identityFromText(await readFile(join(folder, HOLDER_FILE), 'utf8'));
  // A process id of another machine or container has no meaning here.
  if (!holder || processState(holder) !== 'running') return;
  try {
    process.kill(holder.pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/**
 * Removes the folder of a sandbox with all its contents. Does nothing if it does not exist.
 *
 * @throws SandboxError if it is not the folder of a sandbox.
 */
export async function removeFolder(folder: string): Promise<void> {
  const names: readonly string[] = await unlessMissing(readdir(folder), []);
  const isNamedLikeOurs = resolve(folder) === folder && basename(folder).startsWith(PREFIX);
  // A handle is JSON from elsewhere, and must not be able to name another folder.
  if (!isNamedLikeOurs || (names.length > 0 && !names.includes(OWNER_FILE))) {
    throw new SandboxError('failed', `cannot remove ${JSON.stringify(folder)}: not the folder of a sandbox`);
  }
  if (names.includes(HOLDER_FILE)) await endHolder(folder);
  // The owner file is removed last: if this is interrupted, the rest can still be recognized as a sandbox.
  await removeTrees(names.filter((name) => name !== OWNER_FILE).map((name) => join(folder, name)));
  try {
    // Without a program: to start one takes a large process several milliseconds.
    await unlessMissing(unlink(join(folder, OWNER_FILE)), undefined);
    await unlessMissing(rmdir(folder), undefined);
  } catch {
    // Something was created meanwhile. What cannot be removed is reported from here.
    await removeTrees([folder]);
  }
}

/** Uses `rm`, which can traverse folders deeper than the maximum length of a path. */
export async function removeTrees(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await run('rm', ['-rf', '--', ...paths]);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw new SandboxError('failed', `cannot remove ${paths.join(', ')}: ${firstLineOf(error)}`);
      }
      // Commands may have removed their own permissions. If this fails, the next attempt reports the reason.
      await run('chmod', ['-R', 'u+rwX', '--', ...paths]).catch(() => {});
      await sleep(ATTEMPT_MS);
    }
  }
}

/** Returns the folders of sandboxes whose process no longer exists. */
export async function staleFolders(): Promise<string[]> {
  const stale: string[] = [];
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    if (await isStale(folder)) stale.push(folder);
  }
  return stale;
}

async function isStale(folder: string): Promise<boolean> {
  // Both may be missing while the folder is created or removed.
  const stats = await unlessMissing(lstat(folder), undefined);
  if (!stats || stats.uid !== process.getuid?.()) return false;
  const owner = identityFromText(await unlessMissing(readFile(join(folder, OWNER_FILE), 'utf8'), ''));
  return owner !== undefined && processState(owner) === 'gone';
}

function firstLineOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return stderr?.trim().split('\n')[0] || message;
}
