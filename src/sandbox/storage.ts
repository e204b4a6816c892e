import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandUser } from './command-user.ts';
import { claimFolder, recordHolder, removeFolder } from './folder.ts';
import { findProgram, inheritedFiles, SANDBOX_PATH_VARIABLE } from './host-programs.ts';
import { copySnapshot } from './snapshots.ts';
import { SandboxError, type SandboxLimits, type SandboxStorage, type UidRange } from './types.ts';

/**
 * Kernel users of commands.
 *
 * - `root`: root starts commands as a separate kernel user for each sandbox.
 * - `subordinate`: an ordinary user does the same with its ids in /etc/subuid, with `newuidmap`.
 * - `shared`: commands run as the kernel user of the server.
 */
export type UserSeparation = { kind: 'root' | 'subordinate'; uids: UidRange } | { kind: 'shared' };

/** Files of a sandbox. */
export type SandboxVolume = {
  /** Folder on the host, for the handle. */
  folder: string;
  /** Path of WRITABLE_FOLDERS for programs that `enter` starts. */
  files: string;
  /** Devices of the files, to find those that are removed and still open. Undefined if it is that of `folder`. */
  devices?: readonly number[];
  /** True if the files of a snapshot are shared until they are changed. */
  isShared: boolean;
  /** Arguments that start a program in the namespaces of the files, as the user of the commands. */
  enter: readonly string[];
  /** User as which `enter` is started. */
  user?: CommandUser;
  /** True if programs that `enter` starts are root in a user namespace and have to drop its capabilities. */
  isNamespaceRoot: boolean;
  remove(): Promise<void>;
};

/** Folders that commands may write to. */
export const WRITABLE_FOLDERS = ['work', 'tmp', 'shm'] as const;

/** Bytes per inode, which limit the number of files. */
const BYTES_PER_TMPFS_INODE = 4_096;
const BYTES_PER_EXT4_INODE = 8_192;
const EXT4_INODE_BYTES = 256;
/** Size of superblocks and bitmaps. */
const EXT4_FIXED_BYTES = 512 * 1024;
/** Share of its space that ext4 reserves, and its maximum in bytes. */
const EXT4_RESERVED = { share: 1 / 50, maxBytes: 16 * 1024 * 1024 };

/**
 * Creates the file system of a sandbox in a new mount namespace, and waits until its input ends. The files are removed
 * with the last process of the namespace, even if the server is killed. The host does not see the mount.
 *
 * The inotify limits are those of the namespace. They also count for the server's user, who has 128 instances.
 *
 * With a snapshot, an overlay shares its files: only changes are on the file system of limited size. The files of a
 * snapshot belong to the server's user. To assign them to another user, root copies their inodes without their content
 * (`metacopy`); in a user namespace this would copy the content too, so they are copied at once, as on machines without
 * overlays. The shared lock keeps the snapshot from being removed while the overlay exists.
 */
const HOLD = `
  folder=$1 kind=$2 bytes=$3 inodes=$4 user=$5 separation=$6 snapshot=$7
  share() {
    mkdir files/upper files/.overlay
    case $separation in root) own=metacopy=on ;; shared) own=userxattr ;; *) return 1 ;; esac
    layers=lowerdir=lower,upperdir=files/upper,workdir=files/.overlay
    mount -t overlay -o "nosuid,nodev,noatime,xino=off,$own,$layers" overlay files 2>&-
  }
  umask 022
  if [ "$separation" != root ]; then
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
  cd "$folder"
  if [ -n "$snapshot" ]; then
    exec 9<"$snapshot"
    flock --shared --nonblock 9
    mkdir lower
    mount --rbind "$snapshot" lower
    if share; then
      kind=shared
    else
      rmdir files/upper files/.overlay
      cp -a --reflink=auto lower/* files/
    fi
    [ "$user" = 0 ] || chown -hR "$user:$user" files/*
  fi
  for name in ${WRITABLE_FOLDERS.join(' ')}; do
    [ -d files/$name ] && continue
    mkdir -m 700 files/$name
    chown "$user:$user" files/$name
  done
  touch files/probe
  echo "$kind" $(stat -c %d files/probe; find files -type f -printf '%D\\n' -quit)
  rm files/probe
  cd /
  exec >&- 2>&-
  read -r nothing`;

/**
 * Creates the files of a sandbox.
 *
 * @throws SandboxError if this machine does not support the kind of storage.
 */
export async function openStorage(
  kind: SandboxStorage,
  separation: UserSeparation,
  limits: SandboxLimits,
  snapshot?: string,
): Promise<SandboxVolume> {
  const { folder, uid } = await claimFolder(separation.kind === 'shared' ? undefined : separation.uids);
  try {
    const files = join(folder, 'files');
    await mkdir(files, { mode: 0o755 });
    if (kind === 'folder') return await openFolder(folder, files, uid, snapshot);
    // In the namespace, the server's user has the id 0, and its subordinate ids begin at 1.
    const inside = separation.kind === 'subordinate' ? (uid as number) - separation.uids.first + 1 : (uid ?? 0);
    return await holdFiles(folder, files, kind, separation.kind, inside, limits, snapshot);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function openFolder(
  folder: string,
  files: string,
  uid: number | undefined,
  snapshot: string | undefined,
): Promise<SandboxVolume> {
  for (const name of WRITABLE_FOLDERS) {
    await mkdir(join(files, name), { mode: 0o700 });
    if (uid !== undefined) await chown(join(files, name), uid, uid);
  }
  const user = uid === undefined ? undefined : { uid, gid: uid };
  if (snapshot !== undefined) await copySnapshot(snapshot, WRITABLE_FOLDERS, files, user);
  const as = user ? { user } : {};
  return {
    folder,
    files,
    isShared: false,
    enter: [],
    ...as,
    isNamespaceRoot: false,
    remove: () => removeFolder(folder),
  };
}

async function holdFiles(
  folder: string,
  files: string,
  kind: 'image' | 'memory',
  separation: UserSeparation['kind'],
  uid: number,
  limits: SandboxLimits,
  snapshot = '',
): Promise<SandboxVolume> {
  const namespaces = {
    root: [],
    subordinate: ['--user', '--map-root-user', '--map-auto'],
    shared: ['--user', '--map-root-user'],
  }[separation];
  const { bytes, inodes } = sizesOf(kind, limits.diskBytes);
  const script = ['--', findProgram('sh'), '-c', HOLD, 'sh'];
  const parameters = [folder, kind, `${bytes}`, `${inodes}`, `${uid}`, separation, snapshot];
  const holder = startHolder([...namespaces, '--mount', '--propagation', 'private', ...script, ...parameters]);
  const { isShared, devices } = await holder.mounted;
  const pid = holder.child.pid as number;
  await recordHolder(folder, pid);
  const enterUser = separation === 'root' ? [] : ['--user'];
  const asUser = separation === 'shared' ? ['--preserve-credentials'] : ['--setuid', `${uid}`, '--setgid', `${uid}`];
  return {
    folder,
    files,
    isShared,
    devices,
    get enter() {
      if (!holder.isAlive()) {
        throw new SandboxError('failed', 'the files of the sandbox are lost: the process that holds them has ended');
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

/** Returns the sizes of a file system with room for `diskBytes` of files, including small ones. */
function sizesOf(kind: 'image' | 'memory', diskBytes: number): { bytes: number; inodes: number } {
  if (kind === 'memory') return { bytes: diskBytes, inodes: Math.ceil(diskBytes / BYTES_PER_TMPFS_INODE) };
  const inodes = Math.ceil(diskBytes / BYTES_PER_EXT4_INODE);
  const reserved = Math.min(EXT4_RESERVED.maxBytes, Math.ceil(diskBytes * EXT4_RESERVED.share));
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
    mounted: readMounted(child),
    end: async () => {
      child.ref();
      if (isAlive()) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Waits until the file system is mounted. The holder does not keep this process alive after that. */
async function readMounted(child: ChildProcess): Promise<Required<Pick<SandboxVolume, 'isShared' | 'devices'>>> {
  const notStarted = new Promise<never>((_resolve, reject) => child.once('error', reject));
  const outputs = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  const [stdout, stderr] = await Promise.race([notStarted, outputs]).catch((cause: Error) => {
    throw new SandboxError('failed', `cannot start unshare: ${cause.message}`, { cause });
  });
  const [kind, ...devices] = stdout.trim().split(' ');
  if (devices.length === 0) {
    const output = stderr.trim().split('\n').at(-1) || 'it ended without a message';
    throw new SandboxError('failed', `cannot mount a file system of limited size: ${output}`);
  }
  child.unref();
  (child.stdin as Writable & { unref?(): void }).unref?.();
  return { isShared: kind === 'shared', devices: devices.map(Number) };
}
