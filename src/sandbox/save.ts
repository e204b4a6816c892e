import { execFile } from 'node:child_process';
import { link, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCode, randomId } from '../core/index.ts';
import { assertSuccess, MESSAGE_BYTES } from './files.ts';
import { removeTrees } from './folder.ts';
import type { RunProgram, SandboxBackend } from './run-program.ts';
import { removeOldSnapshots, useSnapshot } from './snapshots.ts';
import { type Sandbox, SandboxError } from './types.ts';

/** Time for each of the programs below. */
const SAVE_MS = 600_000;
const LIST_BYTES = 64 * 1024 * 1024;

/**
 * Lists type, attributes and path of files. The pause is longer than a tick of the kernel's clock: a later change of a file
 * then always has a later time of change, which commands cannot set.
 */
const LIST = `
  cd -- "$1" && shift && sleep 0.02
  exec find "$@" '(' -type f -o -type d -o -type l ')' -printf '%y %m %s %T@ %i %C@ %p\\0'`;

/** The format has times in nanoseconds, and holes of sparse files are not written. */
const PACK = `exec tar -C "$1" --create --format=posix --sparse --mode=ug-s --no-recursion --null --files-from=-`;

/** Attributes of files by their path, in which each character is a byte. */
type FileList = ReadonlyMap<string, string>;

const isFolder = (attributes: string) => attributes.startsWith('d');

/**
 * Creates `save`. Programs inside the sandbox list and pack its files with the permissions of a command, so that nothing
 * else of the host can be part of a snapshot.
 *
 * @param from snapshot with which the sandbox began.
 */
export async function createSaving(
  backend: SandboxBackend,
  runAlone: <T>(task: (run: RunProgram) => Promise<T>) => Promise<T>,
  store: string,
  from: string | undefined,
): Promise<Pick<Sandbox, 'save'>> {
  const { saved } = backend;
  if (!saved) {
    const problem = `the provider '${backend.provider}' cannot save sandboxes: use 'bubblewrap'`;
    return { save: () => Promise.reject(new SandboxError('unavailable', problem)) };
  }
  const list = (run: RunProgram) => listFiles(run, saved);
  let last = from === undefined ? undefined : { id: from, files: await runAlone(list) };
  const save = async (run: RunProgram): Promise<string> => {
    const files = await list(run);
    const previous = last && (await findPrevious(store, last.id));
    if (last && previous !== undefined && isSameList(files, last.files)) return last.id;
    const id = randomId('');
    const known = last && previous !== undefined ? { folder: previous, files: last.files } : undefined;
    await writeSnapshot(join(store, id), files, known, (paths, target) => copyOut(run, saved.root, paths, target));
    last = { id, files };
    void removeOldSnapshots(store);
    return id;
  };
  return { save: () => runAlone(save) };
}

async function listFiles(run: RunProgram, { root, names }: NonNullable<SandboxBackend['saved']>): Promise<FileList> {
  const bounds = { timeoutMs: SAVE_MS, stdoutBytes: LIST_BYTES, stderrBytes: MESSAGE_BYTES };
  const end = await run(['sh', '-c', LIST, 'sh', root, ...names], bounds, { cwd: '/' });
  assertSuccess(end, 'list the files of the sandbox');
  const lines = end.stdout.bytes().toString('latin1').split('\0').slice(0, -1);
  return new Map(lines.map((line) => [line.split(' ').slice(6).join(' '), line.split(' ', 6).join(' ')]));
}

const isSameList = (one: FileList, other: FileList): boolean =>
  one.size === other.size && [...one].every(([path, attributes]) => other.get(path) === attributes);

/** Returns the folder of the previous snapshot of a sandbox, which may have been removed. */
async function findPrevious(store: string, id: string): Promise<string | undefined> {
  try {
    return await useSnapshot(store, id);
  } catch (error) {
    if (error instanceof SandboxError) return undefined;
    throw error;
  }
}

/** Writes a snapshot: files that are the same in the previous one are linked to it, all others are copied. */
async function writeSnapshot(
  folder: string,
  files: FileList,
  previous: { folder: string; files: FileList } | undefined,
  copy: (paths: readonly string[], target: string) => Promise<void>,
): Promise<void> {
  const partial = `${folder}.partial`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const copied: string[] = [];
    for (const [path, attributes] of files) {
      if (isFolder(attributes)) await mkdir(bytesOf(partial, path), { mode: 0o700 });
      const isSame = attributes.startsWith('f') && previous?.files.get(path) === attributes;
      const isLinked = isSame && (await linkFile(bytesOf(previous.folder, path), bytesOf(partial, path)));
      if (!isLinked) copied.push(path);
    }
    await copy(copied, partial);
    await rename(partial, folder);
  } catch (error) {
    await removeTrees([partial]);
    throw error;
  }
}

const bytesOf = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);

/** Returns false if the file has as many links as the file system allows, or was removed. */
async function linkFile(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EMLINK', 'ENOENT')) return false;
    throw error;
  }
}

/** Copies files of the sandbox to a folder of the host. Files of folders are listed separately. */
async function copyOut(run: RunProgram, root: string, paths: readonly string[], target: string): Promise<void> {
  const permissions = ['--same-permissions', '--no-same-owner', '--delay-directory-restore'];
  // Without a line for each file whose time is in the future.
  const args = ['-C', target, '--extract', ...permissions, '--warning=no-timestamp'];
  const unpacking = promisify(execFile)('tar', args);
  const { stdin } = unpacking.child;
  if (!stdin) throw new TypeError('tar has no input');
  const bounds = { timeoutMs: SAVE_MS, stdoutBytes: 0, stderrBytes: MESSAGE_BYTES, stdoutTo: stdin };
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const packing = run(['sh', '-c', PACK, 'sh', root], bounds, { cwd: '/', stdin: input }).finally(() => stdin.end());
  const [packed, unpacked] = await Promise.allSettled([packing, unpacking]);
  if (packed.status === 'rejected') throw packed.reason;
  if (unpacked.status === 'rejected') {
    throw new SandboxError('failed', `cannot write a snapshot: ${unpacked.reason.stderr || unpacked.reason.message}`);
  }
  assertSuccess(packed.value, 'save the sandbox');
}
