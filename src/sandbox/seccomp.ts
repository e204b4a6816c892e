/** Names of the instruction set in `AUDIT_ARCH_*`, and system call numbers that differ between instruction sets. */
type Architecture = { audit: number; calls: Readonly<Record<string, number>> };

/** From <asm/unistd_64.h> of x86_64. */
const X64: Architecture = {
  audit: 0xc000_003e,
  calls: {
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    clone: 56,
    syslog: 103,
    uselib: 134,
    modify_ldt: 154,
    pivot_root: 155,
    acct: 163,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    lookup_dcookie: 212,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    unshare: 272,
    perf_event_open: 298,
    fanotify_init: 300,
    open_by_handle_at: 304,
    setns: 308,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
  },
};

/** From <asm-generic/unistd.h>, which aarch64 uses. It has no uselib, modify_ldt, iopl and ioperm. */
const ARM64: Architecture = {
  audit: 0xc000_00b7,
  calls: {
    lookup_dcookie: 18,
    ioctl: 29,
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    quotactl: 60,
    acct: 89,
    unshare: 97,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    syslog: 116,
    reboot: 142,
    socket: 198,
    socketpair: 199,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    clone: 220,
    swapon: 224,
    swapoff: 225,
    perf_event_open: 241,
    fanotify_init: 262,
    open_by_handle_at: 265,
    setns: 268,
    finit_module: 273,
    bpf: 280,
    userfaultfd: 282,
    kexec_file_load: 294,
  },
};

const ARCHITECTURES: Readonly<Record<string, Architecture>> = { x64: X64, arm64: ARM64 };

/** Newer system calls, whose numbers are the same on all architectures. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
  open_tree_attr: 467,
};

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Rejected as if the kernel did not support them, so that programs use older ones. */
const UNKNOWN = [
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'memfd_secret',
  // Its flags are in memory, which a filter cannot read. libc falls back to `clone`.
  'clone3',
];
/** Calls that are rejected depending on their arguments. All others in the tables above are always rejected. */
const BY_ARGUMENT = ['clone', 'unshare', 'socket', 'socketpair', 'ioctl'];

/** CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID and _NEWNET. */
const NEW_NAMESPACES = 0x7e02_0000;
/** In `clone`, this bit belongs to the exit signal. */
const CLONE_NEWTIME = 0x80;
/** Requests that write input into a terminal, which the server may share. */
const TERMINAL_INPUT = [0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */];

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;

/** Instructions of classic BPF, as <linux/bpf_common.h> encodes them: code, steps if true, steps if false, operand. */
type BpfInstruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/** Offsets in struct seccomp_data: `nr`, `arch`, `instruction_pointer`, `args`. Ints are in the lower half of an argument. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const load = (offset: number): BpfInstruction => [0x20, 0, 0, offset];
/** Runs the next `count` instructions only if the accumulator equals `value`. */
const ifEqual = (value: number, count: number): BpfInstruction => [0x15, 0, count, value];
const unlessEqual = (value: number, count: number): BpfInstruction => [0x15, count, 0, value];
const ifAnyBit = (bits: number, count: number): BpfInstruction => [0x45, 0, count, bits];
const ifAtLeast = (value: number, count: number): BpfInstruction => [0x35, 0, count, value];
const result = (action: number): BpfInstruction => [0x06, 0, 0, action];

const KILL_PROCESS = result(0x8000_0000);
const ALLOW = result(0x7fff_0000);
const fail = (errno: number) => result(0x0005_0000 | errno);
/** Bit in the numbers of the x32 ABI, which has the architecture of x86_64. */
const X32_BIT = 0x4000_0000;

/**
 * Returns a seccomp filter for `bwrap --seccomp`, or undefined if the system call numbers of the architecture are unknown.
 *
 * - Allows only AF_UNIX sockets, and with `loopback` also AF_INET, AF_INET6 and NETLINK_ROUTE. AF_VSOCK and others have no
 *   network namespace, or reach kernel code that no command needs.
 * - Rejects keyrings (`keyctl`, `add_key`, `request_key`), since commands would inherit the session keyring of the server.
 * - Rejects `bpf`, `perf_event_open`, `userfaultfd`, io_uring and `fanotify_init`, which had many vulnerabilities or are
 *   counted per user.
 * - Rejects new namespaces, mounts, modules and other calls that only administrators need.
 *
 * Programs of another architecture, 32-bit ones included, are killed: their system calls have other numbers.
 */
export function buildSeccompFilter(loopback: boolean, architecture: string = process.arch): Buffer | undefined {
  const { audit, calls } = ARCHITECTURES[architecture] ?? {};
  if (audit === undefined || calls === undefined) return undefined;
  const numbers: Readonly<Record<string, number>> = { ...calls, ...COMMON };
  const on = (name: string, block: readonly BpfInstruction[]): BpfInstruction[] => [
    ifEqual(numbers[name] as number, block.length),
    ...block,
  ];
  const refused = Object.keys(numbers).filter((name) => !BY_ARGUMENT.includes(name));
  return encode([
    load(ARCHITECTURE_AT),
    unlessEqual(audit, 1),
    KILL_PROCESS,
    load(NUMBER_AT),
    ...(audit === X64.audit ? [ifAtLeast(X32_BIT, 1), fail(ENOSYS)] : []),
    ...refused.flatMap((name) => on(name, [fail(UNKNOWN.includes(name) ? ENOSYS : EPERM)])),
    ...on('clone', [load(argumentAt(0)), ifAnyBit(NEW_NAMESPACES, 1), fail(EPERM), ALLOW]),
    ...on('unshare', [load(argumentAt(0)), ifAnyBit(NEW_NAMESPACES | CLONE_NEWTIME, 1), fail(EPERM), ALLOW]),
    ...['socket', 'socketpair'].flatMap((name) => on(name, checkFamily(loopback))),
    ...on('ioctl', [
      load(argumentAt(1)),
      ...TERMINAL_INPUT.flatMap((request) => [ifEqual(request, 1), fail(EPERM)]),
      ALLOW,
    ]),
    ALLOW,
  ]);
}

function checkFamily(loopback: boolean): BpfInstruction[] {
  const families = loopback ? [AF_UNIX, AF_INET, AF_INET6] : [AF_UNIX];
  return [
    load(argumentAt(0)),
    ...families.flatMap((family) => [ifEqual(family, 1), ALLOW]),
    ...(loopback ? [ifEqual(AF_NETLINK, 3), load(argumentAt(2)), ifEqual(NETLINK_ROUTE, 1), ALLOW] : []),
    fail(EAFNOSUPPORT),
  ];
}

/** struct sock_filter: u16, u8, u8, u32. Both architectures are little-endian. */
function encode(program: readonly BpfInstruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  program.forEach(([code, ifTrue, ifFalse, operand], index) => {
    const at = 8 * index;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(operand >>> 0, at + 4);
  });
  return bytes;
}
