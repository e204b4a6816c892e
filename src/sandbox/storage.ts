import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { CommandUser } from './command-user.ts';
import { findProgram, SANDBOX_PATH_VARIABLE } from './find-program.ts';
import { claimFolder, recordHolder, removeFolder } from './folder.ts';
import { inheritedFiles } from './inherited-files.ts';
import { SandboxError } from './sandbox-error.ts';
import type { SandboxLimits, SandboxStorage, UidRange } from './types.ts';

/**
 * How commands are kept apart from the server and from other sandboxes.
 *
 * - `root`: root starts them as a kernel user of the sandbox's own.
 * - `subordinate`: an ordinary user does the same with its ids in /etc/subuid, by `newuidmap`.
 * - `shared`: they run as the kernel user of the server.
 */
export type UserSeparation = { kind: 'root' | 'subordinate'; uids: UidRange } | { kind: 'shared' };

/** The files of a sandbox. */
export type SandboxVolume = {
  /** For the handle: what another process needs to remove it. */
  folder: string;
  /** Has a folder for each of FOLDERS, as seen by what `enter` starts. */
  files: string;
  /** Device of the files, for those that are removed and still open. undefined: the one of `folder`. */
  device?: number;
  /** Arguments that start a program where the files are, as the user of the commands. */
  enter: readonly string[];
  /** User to start `enter` as. */
  user?: CommandUser;
  /** Set if programs that `enter` starts are root in a user namespace and have to drop these rights. */
  isNamespaceRoot: boolean;
  remove(): Promise<void>;
};

/** The folders that commands may write to. */
export const WRITABLE_FOLDERS = ['work', 'tmp', 'shm'] as const;

/** Room for one file; smaller files are counted as if they had it. */
const BYTES_PER_TMPFS_INODE = 4_096;
const BYTES_PER_EXT4_INODE = 8_192;
const EXT4_INODE_BYTES = 256;
/** Superblocks and bitmaps. */
const EXT4_FIXED_BYTES = 512 * 1024;
/** ext4 keeps a fiftieth of its space for itself, but not more than this. */
const EXT4_RESERVED = { part: 1 / 50, most: 16 * 1024 * 1024 };

/**
 * Makes the file system of a sandbox in a new mount namespace, and stays until its input ends: the files go with
 * the last process of the namespace, also if the server is killed. No mount is seen on the host.
 *
 * The inotify limits are those of the namespace. They are counted for the server's user as well, which has 128 instances.
 */
const HOLD = `
  folder=$1 kind=$2 bytes=$3 inodes=$4 user=$5
  umask 022
  if [ -n "$6" ]; then
    { echo 16 > /proc/sys/user/max_inotify_instances; echo 16384 > /proc/sys/user/max_inotify_watches; } 2>&-
  fi
  set -e
  if [ "$kind" = image ]; then
    truncate -s "$bytes" "$folder/image"
    mkfs.ext4 -q -F -m 0 -O ^has_journal,^resize_inode -E lazy_itable_init=1,nodiscard -N "$inodes" "$folder/image"
    mount -t ext4 -o loop,nosuid,nodev,noatime,discard,errors=remount-ro "$folder/image" "$folder/files"
    rmdir "$folder/files/lost+found"
  else
    mount -t tmpfs -o "size=$bytes,nr_inodes=$inodes,mode=0755,nosuid,nodev" tmpfs "$folder/files"
  fi
  for name in ${WRITABLE_FOLDERS.join(' ')}; do
    mkdir -m 700 "$folder/files/$name"
    chown "$user:$user" "$folder/files/$name"
  done
  stat -c %d "$folder/files"
  exec >&- 2>&-
  read -r nothing`;

/** Makes the files of a sandbox. Rejects with a SandboxError where this machine does not allow for it. */
export async function openStorage(
  kind: SandboxStorage,
  separation: UserSeparation,
  limits: SandboxLimits,
): Promise<SandboxVolume> {
  const { folder, uid } = await claimFolder(separation.kind === 'shared' ? undefined : separation.uids);
  try {
    const files = join(folder, 'files');
    await mkdir(files, { mode: 0o755 });
    if (kind === 'folder') return await openFolder(folder, files, uid);
    // In the namespace the server's user is 0, and its subordinate ids follow from 1 on.
    const inside = separation.kind === 'subordinate' ? (uid as number) - separation.uids.first + 1 : (uid ?? 0);
    return await holdFiles(folder, files, kind, separation.kind, inside, limits);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function openFolder(folder: string, files: string, uid: number | undefined): Promise<SandboxVolume> {
  for (const name of WRITABLE_FOLDERS) {
    await mkdir(join(files, name), { mode: 0o700 });
    if (uid !== undefined) await chown(join(files, name), uid, uid);
  }
  const user = uid === undefined ? {} : { user: { uid, gid: uid } };
  return { folder, files, enter: [], ...user, isNamespaceRoot: false, remove: () => removeFolder(folder) };
}

async function holdFiles(
  folder: string,
  files: string,
  kind: 'image' | 'memory',
  separation: UserSeparation['kind'],
  uid: number,
  limits: SandboxLimits,
): Promise<SandboxVolume> {
  const namespaces = {
    root: [],
    subordinate: ['--user', '--map-root-user', '--map-auto'],
    shared: ['--user', '--map-root-user'],
  }[separation];
  const { bytes, inodes } = sizesOf(kind, limits.diskBytes);
  const holder = startHolder([
    ...[...namespaces, '--mount', '--propagation', 'private', '--', findProgram('sh'), '-c', HOLD, 'sh'],
    ...[folder, kind, `${bytes}`, `${inodes}`, `${uid}`, namespaces.length > 0 ? 'namespace' : ''],
  ]);
  const device = await holder.device;
  const pid = holder.child.pid as number;
  await recordHolder(folder, pid);
  const enterUser = separation === 'root' ? [] : ['--user'];
  const asUser = separation === 'shared' ? ['--preserve-credentials'] : ['--setuid', `${uid}`, '--setgid', `${uid}`];
  return {
    folder,
    files,
    device,
    get enter() {
      if (!holder.isAlive()) {
        throw new SandboxError(
          'failed',
          'the process that holds the files of the sandbox has ended, and they are lost',
        );
      }
      return [findProgram('nsenter'), '--target', `${pid}`, '--mount', ...enterUser, ...asUser, '--'];
    },
    isNamespaceRoot: separation === 'shared',
    remove: async () => {
      await holder.end();
      await removeFolder(folder);
    },
  };
}

/** Sizes of a file system that holds `diskBytes`, also in small files. */
function sizesOf(kind: 'image' | 'memory', diskBytes: number): { bytes: number; inodes: number } {
  if (kind === 'memory') return { bytes: diskBytes, inodes: Math.ceil(diskBytes / BYTES_PER_TMPFS_INODE) };
  const inodes = Math.ceil(diskBytes / BYTES_PER_EXT4_INODE);
  const reserved = Math.min(EXT4_RESERVED.most, Math.ceil(diskBytes * EXT4_RESERVED.part));
  return { bytes: diskBytes + reserved + inodes * EXT4_INODE_BYTES + EXT4_FIXED_BYTES, inodes };
}

function startHolder(args: readonly string[]) {
  const child = spawn(findProgram('unshare'), args, {
    cwd: '/',
    env: { PATH: SANDBOX_PATH_VARIABLE },
    stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', 'ignore', ...inheritedFiles()],
    detached: true,
  });
  const input = child.stdin as Writable;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  input.on('error', () => {});
  const isAlive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    child,
    isAlive,
    device: readDevice(child),
    end: async () => {
      child.ref();
      if (isAlive()) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Waits until the files are there. A holder does not keep a program from ending. */
async function readDevice(child: ChildProcess): Promise<number> {
  const [stdout, stderr] = [child.stdout as Readable, child.stderr as Readable].map((stream) => {
    const chunks: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    return chunks;
  });
  await new Promise<void>((resolve, reject) => {
    let open = 2;
    const onEnd = () => {
      open -= 1;
      if (open === 0) resolve();
    };
    child.once('error', reject);
    child.stdout?.once('close', onEnd);
    child.stderr?.once('close', onEnd);
  }).catch((cause: Error) => {
    throw new SandboxError('failed', `unshare cannot be started: ${cause.message}`, { cause });
  });
  const device = Number.parseInt(stdout?.join('') ?? '', 10);
  if (Number.isNaN(device)) {
    const output = stderr?.join('').trim().split('\n').at(-1) || 'it ended without a message';
    throw new SandboxError('failed', `no file system of a limited size can be mounted: ${output}`);
  }
  child.unref();
  (child.stdin as Writable & { unref?(): void }).unref?.();
  return device;
}
