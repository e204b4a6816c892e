import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, readdir, rename, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, hasCode } from '../core/index.ts';
import { unlessMissing } from '../core/node/index.ts';
import type { CommandUser } from './command-user.ts';
import { SandboxError, type SandboxOptions } from './types.ts';

/** Time for which a snapshot is kept after its last use, as long as a journal keeps an episode without calls. */
const SNAPSHOT_KEPT_MS = 7 * 86_400_000;
/** Interval between searches for snapshots to remove. */
const SNAPSHOT_SWEEP_MS = 3_600_000;
const DISCARDED = '.discarded';
/** Names of snapshots, also incomplete and discarded ones. The folder may contain files of others. */
const SNAPSHOT_NAME = /^[0-9a-f]{32}(\.partial)?(\.discarded)?$/;

const run = promisify(execFile);

/** Returns the folder for snapshots. */
export function snapshotStore({ snapshotFolder }: Pick<SandboxOptions, 'snapshotFolder'>): string {
  const { ORS_SANDBOX_SNAPSHOTS, XDG_STATE_HOME } = process.env;
  const state = () => join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'ors-kit', 'snapshots');
  return resolve(snapshotFolder ?? (ORS_SANDBOX_SNAPSHOTS || state()));
}

/**
 * Returns the folder of a snapshot, and extends the time for which it is kept.
 *
 * @throws SandboxError `not-found` if there is no such snapshot.
 */
export async function useSnapshot(store: string, id: string): Promise<string> {
  const folder = snapshotPath(store, id);
  try {
    await utimes(folder, new Date(), new Date());
    return folder;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    const reason = 'it was discarded, not used for a week, or saved in another folder';
    throw new SandboxError('not-found', `snapshot '${id}' is not in ${store}: ${reason}`, { cause: error });
  }
}

/** An id is JSON from elsewhere, and must not be able to name another folder. */
function snapshotPath(store: string, id: string): string {
  if (/^[0-9a-f]{32}$/.test(id)) return join(store, id);
  throw new SandboxError('not-found', `not the id of a snapshot: ${JSON.stringify(id)}`);
}

/**
 * Copies folders of a snapshot into the folder of a sandbox, without their content where the file system can (reflink).
 *
 * @throws SandboxError `not-found` if the snapshot is removed meanwhile.
 */
export async function copySnapshot(
  snapshot: string,
  names: readonly string[],
  target: string,
  user?: CommandUser,
): Promise<void> {
  const reflink = process.platform === 'linux' ? ['--reflink=auto'] : [];
  for (const name of names.filter((present) => existsSync(join(snapshot, present)))) {
    await run('cp', ['-a', ...reflink, '--', join(snapshot, name), target]);
    if (user) await run('chown', ['-hR', `${user.uid}:${user.gid}`, '--', join(target, name)]);
  }
  // It is renamed before it is removed, so it was complete until now.
  if (existsSync(snapshot)) return;
  throw new SandboxError('not-found', `snapshot '${basename(snapshot)}' was removed while it was copied`);
}

/** Locked, so that a snapshot whose files are shared by a sandbox remains. Renamed first, so that none is incomplete. */
const REMOVE_SNAPSHOT = `
  case $1 in *${DISCARDED}) gone=$1 ;; *) gone=$1${DISCARDED}; mv -- "$1" "$gone" || exit ;; esac
  rm -rf -- "$gone" 2>&- && exit
  find "$gone" -type d ! -perm -700 -exec chmod u+rwx {} ';'
  exec rm -rf -- "$gone"`;

async function removeSnapshot(folder: string): Promise<void> {
  const locked = ['flock', '--exclusive', '--nonblock', '--conflict-exit-code', '0', folder];
  const [file = '', ...args] = [
    ...(process.platform === 'linux' ? locked : []),
    'sh',
    '-c',
    REMOVE_SNAPSHOT,
    'sh',
    folder,
  ];
  await run(file, args);
}

/**
 * Removes a snapshot before its time. Sandboxes that share its files keep them; its space is then free when they have
 * ended and another snapshot is saved. Does nothing if there is no such snapshot.
 *
 * @param id what `save` returned.
 * @param options the `snapshotFolder` with which it was saved.
 * @throws SandboxError if it is not the id of a snapshot.
 * @example
 * const id = await sandbox.save();
 * await discardSnapshot(id);
 */
export async function discardSnapshot(id: string, options: Pick<SandboxOptions, 'snapshotFolder'> = {}): Promise<void> {
  const folder = snapshotPath(snapshotStore(options), id);
  const discarded = folder + DISCARDED;
  const isRenamed = await unlessMissing(
    rename(folder, discarded).then(() => true),
    false,
  );
  if (isRenamed) await removeSnapshot(discarded);
}

const swept = new Map<string, number>();

/** Removes snapshots that were discarded or not used for a week, once an hour. A failure does not affect the caller. */
export async function removeOldSnapshots(store: string): Promise<void> {
  const now = Date.now();
  if (now - (swept.get(store) ?? 0) < SNAPSHOT_SWEEP_MS) return;
  swept.set(store, now);
  const warn = (error: unknown) =>
    process.emitWarning(`cannot remove old snapshots: ${errorMessage(error)}`, { type: 'SandboxWarning' });
  const names = await readdir(store).catch(warn);
  for (const name of names?.filter((each) => SNAPSHOT_NAME.test(each)) ?? []) {
    await removeIfOld(join(store, name), now).catch(warn);
  }
}

async function removeIfOld(folder: string, now: number): Promise<void> {
  const stats = await unlessMissing(lstat(folder), undefined);
  const isOld = stats && (folder.endsWith(DISCARDED) || stats.mtimeMs < now - SNAPSHOT_KEPT_MS);
  if (isOld) await removeSnapshot(folder);
}
