import { describe, expect, test } from '@jest/globals';
import { buildSeccompFilter } from '../../src/sandbox/seccomp.ts';

const ALLOW = 'allow';
const KILL = 'kill';
const [EPERM, ENOSYS, EAFNOSUPPORT] = ['errno 1', 'errno 38', 'errno 97'];
const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7, i386: 0x4000_0003, arm: 0x4000_0028 };

/** Runs a program of classic BPF over a struct seccomp_data, as the kernel does. */
function decide(filter: Buffer, arch: number, nr: number, args: readonly number[] = []): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  args.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index);
  });
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, operand] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (holds: boolean) => {
      at += 8 * filter.readUInt8(at + (holds ? 2 : 3));
    };
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) jump(accumulator === operand);
    else if (code === 0x35) jump(accumulator >= operand);
    else if (code === 0x45) jump((accumulator & operand) !== 0);
    else if (code === 0x06) return actionOf(operand);
    else throw new Error(`unknown instruction 0x${code.toString(16)}`);
  }
  throw new Error('the program has no result');
}

function actionOf(value: number): string {
  if (value === 0x7fff_0000) return ALLOW;
  if (value === 0x8000_0000) return KILL;
  return `errno ${value - 0x0005_0000}`;
}

const filterFor = (architecture: string, loopback = false): Buffer => {
  const filter = buildSeccompFilter(loopback, architecture);
  if (!filter) throw new Error(`no filter for ${architecture}`);
  return filter;
};

const numbers = {
  x64: {
    read: 0,
    openat: 257,
    epoll_ctl: 233,
    execve: 59,
    fork: 57,
    ptrace: 101,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    keyctl: 250,
    add_key: 248,
    request_key: 249,
    bpf: 321,
    perf_event_open: 298,
    userfaultfd: 323,
    mount: 165,
    setns: 308,
    fanotify_init: 300,
    inotify_init1: 294,
    seccomp: 317,
  },
  arm64: {
    read: 63,
    openat: 56,
    epoll_ctl: 21,
    execve: 221,
    fork: 1079,
    ptrace: 117,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    keyctl: 219,
    add_key: 217,
    request_key: 218,
    bpf: 280,
    perf_event_open: 241,
    userfaultfd: 282,
    mount: 40,
    setns: 268,
    fanotify_init: 262,
    inotify_init1: 26,
    seccomp: 277,
  },
} as const;

describe.each(['x64', 'arm64'] as const)('the system call filter of %s', (architecture) => {
  const filter = filterFor(architecture);
  const nr = numbers[architecture];
  const asked = (number: number, ...args: number[]) => decide(filter, AUDIT[architecture], number, args);

  test('allows ordinary system calls', () => {
    const { read, openat, epoll_ctl, execve, fork, ptrace, inotify_init1, seccomp } = nr;
    const actions = [read, openat, epoll_ctl, execve, fork, ptrace, inotify_init1, seccomp].map((number) =>
      asked(number),
    );

    expect(new Set(actions)).toEqual(new Set([ALLOW]));
  });

  test('rejects keyrings, bpf, perf, userfaultfd, mounts, fanotify and other namespaces', () => {
    const { keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd, mount, setns, fanotify_init } = nr;
    const refused = [keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd, mount, setns, fanotify_init];

    expect(refused.map((number) => asked(number))).toEqual(refused.map(() => EPERM));
  });

  test('reports io_uring and clone3 as unsupported, so that programs use older calls', () => {
    expect([425, 426, 427, 435].map((number) => asked(number))).toEqual([ENOSYS, ENOSYS, ENOSYS, ENOSYS]);
  });

  test('allows threads and processes with clone and unshare, but no namespaces', () => {
    const namespaces = [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];
    const thread = 0x3d_0f00;

    expect([asked(nr.clone, thread), asked(nr.clone, 17), asked(nr.unshare, 0x400)]).toEqual([ALLOW, ALLOW, ALLOW]);
    for (const flag of namespaces) expect(asked(nr.clone, flag | 17)).toBe(EPERM);
    for (const flag of [...namespaces, 0x80]) expect(asked(nr.unshare, flag)).toBe(EPERM);
  });

  test('allows only sockets of AF_UNIX, for any upper half of the argument', () => {
    const families = Array.from({ length: 46 }, (_, family) => family);

    for (const call of [nr.socket, nr.socketpair]) {
      expect(families.filter((family) => asked(call, family, 1) === ALLOW)).toEqual([1]);
      expect(asked(call, 40 + 2 ** 32, 1)).toBe(EAFNOSUPPORT);
    }
  });

  test('also allows IPv4, IPv6 and the route protocol of netlink with a loopback', () => {
    const open = filterFor(architecture, true);
    const families = Array.from({ length: 46 }, (_, family) => family);
    const allowed = (protocol: number) =>
      families.filter((family) => decide(open, AUDIT[architecture], nr.socket, [family, 1, protocol]) === ALLOW);

    expect(allowed(0)).toEqual([1, 2, 10, 16]);
    expect(allowed(9)).toEqual([1, 2, 10]);
  });

  test('rejects input into a terminal', () => {
    expect([0x5412, 0x541c, 0x5413].map((request) => asked(nr.ioctl, 1, request))).toEqual([EPERM, EPERM, ALLOW]);
  });

  test('kills programs of another instruction set', () => {
    const others = Object.entries(AUDIT).filter(([name]) => name !== architecture);

    expect(others.map(([, arch]) => decide(filter, arch, nr.read))).toEqual([KILL, KILL, KILL]);
  });
});

test('reports calls of the x32 ABI as unsupported on x64', () => {
  const x32 = 0x4000_0000;

  expect([0, 41, 250].map((number) => decide(filterFor('x64'), AUDIT.x64, x32 + number))).toEqual([
    ENOSYS,
    ENOSYS,
    ENOSYS,
  ]);
});

test('creates no system call filter for an unknown instruction set', () => {
  expect(buildSeccompFilter(false, 'riscv64')).toBeUndefined();
});
