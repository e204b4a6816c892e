/**
 * `bubblewrap`: Linux namespaces, without a daemon. `docker`: a container. `directory`: a plain folder, which isolates
 * nothing, for trusted commands and for machines that have neither.
 */
export type SandboxProvider = 'bubblewrap' | 'docker' | 'directory';

export type SandboxLimits = {
  /** Time for a command, in milliseconds. Default: 30,000. */
  timeoutMs: number;
  /** Memory of all processes of a command together, in bytes. Default: 512 MiB. */
  memoryBytes: number;
  /** Processes and threads of a command, together. Default: 128. */
  processes: number;
  /** Bytes that are kept of stdout, and as many of stderr: the beginning and the end. Default: 256 KiB. */
  outputBytes: number;
  /** Bytes of all files together. Default: 1 GiB. The number of files is limited too: one for each 4 to 8 KiB. */
  diskBytes: number;
};

/** A range of numeric user ids; the group ids of the same numbers are used with them. */
export type UidRange = { first: number; count: number };

/**
 * Where bubblewrap keeps the files of a sandbox.
 *
 * - `image`: an ext4 file system in a sparse file of TMPDIR. Needs root, loop devices and `mkfs.ext4`.
 * - `memory`: a tmpfs. Needs Linux's user namespaces; files take memory in addition to `memoryBytes`.
 * - `folder`: a folder of TMPDIR. The kernel limits single files only; their sum is measured once a second, and a command
 *   can go beyond it between two measurements, or with files that it hides.
 */
export type SandboxStorage = 'image' | 'memory' | 'folder';

/** Guarantees that the provider can make on this machine. A SandboxWarning gives the reason for each missing one. */
export type SandboxGuarantees = {
  /**
   * Commands run as a kernel user that neither the server nor another sandbox has, so that they cannot exhaust limits
   * that are counted per user, such as `fs.epoll.max_user_watches`.
   */
  ownUser: boolean;
  /** The kernel refuses writes beyond `diskBytes`. */
  diskLimit: boolean;
  /** System calls are filtered: no keyrings, no sockets but AF_UNIX, no io_uring, bpf, perf and userfaultfd. */
  systemCalls: boolean;
};

/** Limits that are left out have their defaults. Which provider holds which, and how strictly: docs/sandboxes.md. */
export type SandboxOptions = Partial<SandboxLimits> & {
  /** Default: `bubblewrap`. Where it cannot be used, nothing else is taken in its place. */
  provider?: SandboxProvider;
  /** Environment variables of all commands. The server's own are never passed on. */
  env?: Readonly<Record<string, string>>;
  /** Docker: the image. Default: `debian:bookworm-slim`. It needs `sh`, `sleep`, `head`, `cat` and `mkdir`. */
  image?: string;
  /** bubblewrap: absolute paths of the host that commands may read besides `/usr`, such as `/opt/toolchain`. */
  readable?: readonly string[];
  /** bubblewrap: where files are. Default: the first of `image` (from 64 MiB on), `memory` and `folder` that works. */
  storage?: SandboxStorage;
  /**
   * bubblewrap, if the server is root: kernel users for commands, one for each sandbox. Default: 65,536 from
   * 1,900,000,000 on, or 4,336 from 61,184 on where that is beyond the user namespace of the server.
   */
  uidRange?: UidRange;
  /**
   * bubblewrap: lets commands make IPv4 and IPv6 sockets, which reach other processes of the same command and nothing
   * else. Default: false, only AF_UNIX sockets.
   */
  loopback?: boolean;
};

export type RunOptions = {
  /** Time for this command, in milliseconds. Default: the sandbox's own limit. */
  timeoutMs?: number;
  /** Ends the command; `run` then rejects with the signal's reason. Hand the tool's `signal` on. */
  signal?: AbortSignal;
  /** What the command reads. Default: nothing. */
  stdin?: string | Uint8Array;
  /** More environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Where it starts: a path in the sandbox, relative to `workdir`. Default: `workdir`. */
  cwd?: string;
};

/** A limit that ended a command. */
export type ReachedLimit = 'time' | 'memory' | 'disk' | 'output';

/** Plain data. */
export type RunResult = {
  /** As a shell tells it: 128 and the signal's number for a process that a signal ended. null: a limit ended it. */
  exitCode: number | null;
  /** The limit that ended the command; null where none did. */
  stopped: ReachedLimit | null;
  /** Text; what is not UTF-8 is shown as U+FFFD. Where bytes are left out, a line in the middle says how many. */
  stdout: string;
  stderr: string;
  /** Bytes that are left out of `stdout`: 0 where it is whole. */
  stdoutOmitted: number;
  stderrOmitted: number;
  /** From start to end, in milliseconds. */
  durationMs: number;
};

/** What another process needs to remove a sandbox: plain JSON. */
export type SandboxHandle =
  | { provider: 'bubblewrap' | 'directory'; folder: string }
  | { provider: 'docker'; container: string };

/** Files that persist, and commands that come and go. */
export type Sandbox = {
  readonly provider: SandboxProvider;
  /** For `removeSandbox`, in this process or another. */
  readonly handle: SandboxHandle;
  /** The folder that commands start in, as they see it: `/work`, or a folder of the host with `directory`. */
  readonly workdir: string;
  readonly guarantees: SandboxGuarantees;
  /**
   * Runs a command and waits for its end. A text is run by `sh -c`; a list is a program and its arguments. How the
   * command ends, limits included, is told by the result. Rejects with a SandboxError where it could not be run.
   */
  run(command: string | readonly string[], options?: RunOptions): Promise<RunResult>;
  /**
   * The bytes of a file. It is read inside of the sandbox, with the rights of its commands, so that no link leads out.
   * Rejects with a SandboxError: `not-found`, `no-file`, `too-large`, `timeout`. Default of `maxBytes`: 16 MiB.
   */
  read(path: string, options?: { maxBytes?: number; signal?: AbortSignal }): Promise<Buffer>;
  /** Writes a file, and makes the folders above it. It is done inside of the sandbox, as reading is. */
  write(path: string, content: string | Uint8Array, options?: { signal?: AbortSignal }): Promise<void>;
  /** Ends what runs and removes all files. May be called twice. `await using` does it too. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};
