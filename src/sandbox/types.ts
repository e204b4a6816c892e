/**
 * `bubblewrap`: Linux namespaces, without a daemon. `docker`: a container. `directory`: a plain folder without isolation,
 * for trusted commands and for machines that have neither.
 *
 * @example
 * const provider: SandboxProvider = 'docker';
 * await using sandbox = await createSandbox({ provider });
 */
export type SandboxProvider = 'bubblewrap' | 'docker' | 'directory';

/**
 * Limits of a sandbox and of each of its commands.
 *
 * @example
 * const limits: Partial<SandboxLimits> = { timeoutMs: 5_000, memoryBytes: 2 * 1024 ** 3 };
 * await using sandbox = await createSandbox(limits);
 */
export type SandboxLimits = {
  /** Time for a command, in milliseconds. @default 30_000 */
  timeoutMs: number;
  /** Memory of all processes of a command together, in bytes. @default 512 MiB */
  memoryBytes: number;
  /** Number of processes and threads of a command together. @default 128 */
  processes: number;
  /** Bytes that are kept of stdout, and as many of stderr: the beginning and the end. @default 256 KiB */
  outputBytes: number;
  /** Bytes of all files together. The number of files is limited too: one for each 4 to 8 KiB. @default 1 GiB */
  diskBytes: number;
};

/**
 * Range of numeric user ids; the group ids with the same numbers belong to it.
 *
 * @example
 * const uidRange: UidRange = { first: 200_000, count: 1_000 };
 */
export type UidRange = { first: number; count: number };

/**
 * Location of the files of a sandbox with bubblewrap.
 *
 * - `image`: an ext4 file system in a sparse file of TMPDIR. Needs root, loop devices and `mkfs.ext4`.
 * - `memory`: a tmpfs. Needs Linux's user namespaces; files use memory in addition to `memoryBytes`.
 * - `folder`: a folder of TMPDIR. The kernel limits only single files. Their sum is measured once a second, so a command
 *   can exceed it between two measurements, or with hidden files.
 *
 * @example
 * const storage: SandboxStorage = 'memory';
 * await using sandbox = await createSandbox({ storage });
 */
export type SandboxStorage = 'image' | 'memory' | 'folder';

/**
 * Guarantees that the provider can make on this machine. A SandboxWarning explains each missing one.
 *
 * @example
 * const { ownUser, diskLimit }: SandboxGuarantees = sandbox.guarantees;
 */
export type SandboxGuarantees = {
  /**
   * Commands run as a separate kernel user for each sandbox, so that they cannot exhaust limits that are counted per user,
   * such as `fs.epoll.max_user_watches`.
   */
  ownUser: boolean;
  /** The kernel rejects writes beyond `diskBytes`. */
  diskLimit: boolean;
  /** System calls are filtered: no keyrings, only AF_UNIX sockets, no io_uring, bpf, perf and userfaultfd. */
  systemCalls: boolean;
  /**
   * The sandbox was created `from` a snapshot and shares its files until commands change them. False if they were copied,
   * or without a snapshot.
   */
  copyOnWrite: boolean;
};

/**
 * Options of `createSandbox`. See docs/sandboxes.md for how strictly each provider enforces the limits.
 *
 * @example
 * const options: SandboxOptions = { memoryBytes: 2 * 1024 ** 3, readable: ['/opt/toolchain'], env: { CI: '1' } };
 */
export type SandboxOptions = Partial<SandboxLimits> & {
  /** If it cannot be used, `createSandbox` rejects; it never uses another provider instead. @default `bubblewrap` */
  provider?: SandboxProvider;
  /** Environment variables of all commands. Those of the server are never passed on. @default none */
  env?: Readonly<Record<string, string>>;
  /** Docker: image with `sh`, `sleep`, `head`, `cat` and `mkdir`. @default `debian:bookworm-slim` */
  image?: string;
  /** bubblewrap: absolute paths of the host that commands may read in addition to `/usr`, such as `/opt/toolchain`. */
  readable?: readonly string[];
  /** bubblewrap: location of the files. @default the first of `image` (from 64 MiB), `memory` and `folder` that works */
  storage?: SandboxStorage;
  /**
   * bubblewrap, if the server is root: kernel users for commands, one for each sandbox.
   *
   * @default 65,536 from 1,900,000,000, or 4,336 from 61,184 if the user namespace of the server does not contain those
   */
  uidRange?: UidRange;
  /**
   * bubblewrap: lets commands create IPv4 and IPv6 sockets, which reach only other processes of the same command.
   *
   * @default false, only AF_UNIX sockets
   */
  loopback?: boolean;
  /** Snapshot with which the sandbox begins: what `save` returned, in this process or another. @default no files */
  from?: string;
  /**
   * Folder of this machine for snapshots; servers that continue each other's episodes need a shared one.
   *
   * @default `ORS_SANDBOX_SNAPSHOTS`, or `ors-kit/snapshots` in `XDG_STATE_HOME` or `~/.local/state`
   */
  snapshotFolder?: string;
};

/**
 * Options of `Sandbox.run`.
 *
 * @example
 * const { stdout } = await sandbox.run('wc -l', { stdin: 'one\ntwo\n', signal });
 */
export type RunOptions = {
  /** Time for this command, in milliseconds. @default the limit of the sandbox */
  timeoutMs?: number;
  /** Ends the command; `run` then rejects with the signal's reason. Pass the tool's `signal`. */
  signal?: AbortSignal;
  /** Input of the command. @default none */
  stdin?: string | Uint8Array;
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Initial folder: a path in the sandbox, relative to `workdir`. @default `workdir` */
  cwd?: string;
};

/**
 * Limit that ended a command.
 *
 * @example
 * const { stopped } = await sandbox.run('make');
 * const limits: ReachedLimit[] = ['time', 'memory'];
 * const isTooHeavy = stopped !== null && limits.includes(stopped);
 */
export type ReachedLimit = 'time' | 'memory' | 'disk' | 'output';

/**
 * Result of a command, as plain data.
 *
 * @example
 * const { exitCode, stopped, stderr }: RunResult = await sandbox.run('make');
 */
export type RunResult = {
  /** Exit code as in a shell: 128 plus the signal's number if a signal ended the process. Null if a limit ended it. */
  exitCode: number | null;
  /** Limit that ended the command, if any. */
  stopped: ReachedLimit | null;
  /** Text with U+FFFD for invalid UTF-8. A line in the middle contains the number of omitted bytes, if any. */
  stdout: string;
  stderr: string;
  /** Number of bytes omitted from `stdout`. */
  stdoutOmitted: number;
  stderrOmitted: number;
  /** Time from start to end, in milliseconds. */
  durationMs: number;
};

/**
 * Plain JSON with which any process can remove a sandbox.
 *
 * @example
 * const handle: SandboxHandle = JSON.parse(savedHandle);
 * await removeSandbox(handle);
 */
export type SandboxHandle =
  | { provider: 'bubblewrap' | 'directory'; folder: string }
  | { provider: 'docker'; container: string };

/**
 * Isolated folder whose files persist, and in which commands run.
 *
 * @example
 * await using sandbox: Sandbox = await createSandbox();
 * await sandbox.write('main.py', 'print(6 * 7)');
 * const { stdout } = await sandbox.run(['python3', 'main.py']);
 */
export type Sandbox = {
  readonly provider: SandboxProvider;
  /** Handle for `removeSandbox`, in this process or another. */
  readonly handle: SandboxHandle;
  /** Initial folder of commands, as they see it: `/work`, or a folder of the host with `directory`. */
  readonly workdir: string;
  readonly guarantees: SandboxGuarantees;
  /**
   * Runs a command and waits for its end. A text is run by `sh -c`; a list is a program and its arguments. The result
   * describes how the command ended, including limits.
   *
   * @throws SandboxError if the command could not be run.
   * @example
   * const { exitCode, stdout } = await sandbox.run(['python3', 'main.py'], { timeoutMs: 5_000 });
   */
  run(command: string | readonly string[], options?: RunOptions): Promise<RunResult>;
  /**
   * Returns the bytes of a file. It is read inside the sandbox, with the permissions of commands, so links cannot lead out
   * of it. `maxBytes` is 16 MiB by default.
   *
   * @throws SandboxError `not-found`, `no-file`, `too-large` or `timeout`.
   */
  read(path: string, options?: { maxBytes?: number; signal?: AbortSignal }): Promise<Buffer>;
  /** Writes a file inside the sandbox, and creates the folders above it. Throws like `read`. */
  write(path: string, content: string | Uint8Array, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Keeps the present files as a snapshot that outlives the sandbox and the server, and returns its id for `from`. Only
   * files that changed since the previous `save` are copied; if nothing changed, the id is the same. Waits for running
   * commands, and commands that start meanwhile wait for it. Sockets, pipes and setuid bits are left out. A snapshot that
   * is not used for a week is removed.
   *
   * @throws SandboxError `unavailable` with the provider `docker`, `timeout` after ten minutes, `failed` if commands cannot
   * read one of their files.
   * @example
   * const id = await sandbox.save();
   * await using branch = await createSandbox({ from: id });
   */
  save(): Promise<string>;
  /** Ends all commands and removes all files. May be called repeatedly. */
  remove(): Promise<void>;
  /** Calls `remove`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Reason of a SandboxError.
 *
 * @example
 * const ofAgent: SandboxErrorCode[] = ['not-found', 'no-file', 'too-large'];
 * if (error instanceof SandboxError && ofAgent.includes(error.code)) throw new ToolError(error.message);
 */
export type SandboxErrorCode =
  /** The provider cannot be used on this machine; the message contains advice. */
  | 'unavailable'
  /** The sandbox is removed, or was removed meanwhile. */
  | 'removed'
  /** `read`: the file does not exist, or is a broken link. `createSandbox`: the snapshot does not exist. */
  | 'not-found'
  /** `read` and `write`: not a regular file but a folder, a pipe or the like; or a file without permission. */
  | 'no-file'
  /** `read` and `write`: more bytes than allowed. */
  | 'too-large'
  /** `read` and `write`: the time limit was reached. */
  | 'timeout'
  /** Any other failure outside of the command. */
  | 'failed';

/**
 * Failure of the sandbox itself, or of `read` and `write`. A command that fails has an `exitCode` instead.
 *
 * @example
 * if (error instanceof SandboxError && error.code === 'no-file') return 'the agent wrote no answer';
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
