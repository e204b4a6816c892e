import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../src/core/index.ts';
import { copyCheckout } from '../support/checkout.ts';
import type { Fault, Target } from './fault.ts';

/**
 * - `noticed`: a test failed, or a suite could not be loaded.
 * - `not noticed`: all named suites passed.
 * - `hung`: the deadline passed, and no test had failed.
 * - `skipped`: the machine lacks what the named suites need.
 * - `invalid`: the fault does not apply or does not build, or Jest did not run.
 */
export type Verdict = 'noticed' | 'not noticed' | 'hung' | 'skipped' | 'invalid';

export interface FaultResult {
  readonly fault: Fault;
  readonly verdict: Verdict;
  /** The test that failed, or the reason for the verdict. */
  readonly detail: string;
  readonly seconds: number;
}

/** A copy of the checkout in which one fault at a time is tried. */
export interface FaultLab {
  /** @param isWhole also runs the whole suite of the target if the named suites do not notice. */
  attempt(fault: Fault, isWhole: boolean): Promise<FaultResult>;
  /** Kills the running processes; the current attempt never settles. */
  close(): Promise<void>;
}

const CONFIGS: Readonly<Record<Target, string>> = {
  test: 'jest.config.mjs',
  slow: 'test/slow.jest.config.mjs',
  workers: 'jest.config.mjs',
  soak: 'test/soak/jest.config.mjs',
  torture: 'test/torture/jest.config.mjs',
  hostile: 'test/hostile/jest.config.mjs',
  interop: 'test/interop/jest.config.mjs',
};
/** Variables that the targets of the Makefile set. */
const ENVIRONMENTS: Readonly<Partial<Record<Target, NodeJS.ProcessEnv>>> = {
  workers: { ORS_ISOLATION: 'worker' },
  hostile: { ORS_HOSTILE_SCRIPTS: '1000' },
};
/** Targets with tests that are allowed to take minutes. */
const SLOW_TARGETS: readonly Target[] = ['slow', 'soak', 'torture', 'hostile', 'interop'];
const TEST_TIMEOUT_MS = 60_000;
const DEADLINE_MS = 150_000;
const SLOW_DEADLINE_MS = 1_500_000;
const WHOLE_DEADLINE_MS = 3_600_000;
const CLOSE_TIMEOUT_MS = 5_000;
const MEMORY_MB = 4_096;
const MAX_STARTS = 20;
const START_PAUSE_MS = 3_000;

/** Line of `reporter.mjs`. */
interface SuiteReport {
  readonly file: string;
  readonly passed: number;
  readonly failure?: string;
  readonly name?: string;
}

export function openLab(): FaultLab {
  const copy = copyCheckout('ors-kit-faults-');
  // PostgreSQL runs as another user and keeps its files here.
  chmodSync(copy.folder, 0o755);
  cpSync('dist', join(copy.folder, 'dist'), { recursive: true, preserveTimestamps: true });
  linkTools(join(copy.folder, '.cache'));
  const processes = new ProcessGroup(copy.folder);

  let hasFaultyPages = false;

  /** Builds dist/; what tests start as processes runs from there. @returns what went wrong. */
  async function build(fault: Fault): Promise<string | undefined> {
    const needsPages = isOfPages(fault);
    const options = needsPages || hasFaultyPages ? ['--keep-types'] : ['--keep-types', '--keep-pages'];
    hasFaultyPages = needsPages;
    const { code, output } = await processes.run(['scripts/build.mjs', ...options], DEADLINE_MS);
    return code === 0 ? undefined : `does not build: ${output.trim().slice(0, 400)}`;
  }

  async function judge({ target = 'test', tests }: Fault, patterns: readonly string[], deadlineMs: number) {
    const isSlow = SLOW_TARGETS.includes(target);
    const args = [...jestArguments(CONFIGS[target], isSlow), ...patterns];
    // The reporter ends Jest with the first test that fails.
    const { code, output, reports } = await processes.jest(args, deadlineMs, ENVIRONMENTS[target]);
    const failed = reports.find(({ failure }) => failure !== undefined);
    if (failed) return { verdict: 'noticed' as const, detail: describeFailure(failed) };
    if (code === undefined) return { verdict: 'hung' as const, detail: `not done in ${deadlineMs / 1_000} s` };
    if (code !== 0 || reports.length === 0) {
      return { verdict: 'invalid' as const, detail: `${tests.join(' ')}: ${output.trim().slice(0, 400)}` };
    }
    if (reports.some(({ passed }) => passed > 0)) return { verdict: 'not noticed' as const, detail: tests.join(' ') };
    return { verdict: 'skipped' as const, detail: output.match(/SKIPPED: (.*)/)?.[1] ?? 'all tests were skipped' };
  }

  return {
    async attempt(fault, isWhole) {
      const startedAt = performance.now();
      const restore = copy.apply(fault);
      try {
        const broken = await build(fault);
        if (broken !== undefined) return result(fault, { verdict: 'invalid', detail: broken }, startedAt);
        const isSlow = SLOW_TARGETS.includes(fault.target ?? 'test');
        const named = await judge(fault, fault.tests, isSlow ? SLOW_DEADLINE_MS : DEADLINE_MS);
        if (!isWhole || named.verdict !== 'not noticed') return result(fault, named, startedAt);
        return result(fault, await judge(fault, [], WHOLE_DEADLINE_MS), startedAt);
      } finally {
        restore();
      }
    },
    close: () => processes.close(),
  };
}

/** Returns true if the fault may change the web pages that its tests load from `dist/`. */
const isOfPages = ({ file, target, tests }: Fault): boolean =>
  target === 'interop' || [file, ...tests].some((path) => /viewer|pages/.test(path));

const result = (fault: Fault, { verdict, detail }: Pick<FaultResult, 'verdict' | 'detail'>, startedAt: number) => ({
  fault,
  verdict,
  detail,
  seconds: Math.round((performance.now() - startedAt) / 1_000),
});

/** Links what tests with other software need, such as Python packages, into the copy. */
function linkTools(cache: string): void {
  mkdirSync(cache);
  for (const name of existsSync('.cache') ? readdirSync('.cache') : []) {
    if (name !== 'jest' && !name.startsWith('build-')) symlinkSync(resolve('.cache', name), join(cache, name));
  }
}

const jestArguments = (config: string, isSlow: boolean): readonly string[] => [
  `--max-old-space-size=${MEMORY_MB}`,
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  ...['--config', config],
  // dist/ is built here.
  '--globalSetup=',
  ...(isSlow ? [] : [`--testTimeout=${TEST_TIMEOUT_MS}`]),
  '--reporters=<rootDir>/test/faults/reporter.mjs',
  '--cacheDirectory=.cache/jest',
  // Last, since patterns behind an option that is a list would belong to it.
  '--maxWorkers=2',
];

function describeFailure({ file, name, failure = '' }: SuiteReport): string {
  const isTimeout = failure.startsWith('thrown: "Exceeded timeout');
  return `${file}: ${name ?? `does not load: ${failure.split('\n')[0]}`}${isTimeout ? ' (test timed out)' : ''}`;
}

/** Runs one process at a time in a folder, with everything that it starts, and ends all of it. */
class ProcessGroup {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #isClosed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Waits while the machine has no process left: tests of sandboxes use all that a user may have. */
  async #start(args: readonly string[], env: NodeJS.ProcessEnv) {
    for (let attempt = 1; ; attempt++) {
      const child = spawn(process.execPath, args, {
        cwd: this.#folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      try {
        await once(child, 'spawn');
        return child;
      } catch (error) {
        if (attempt === MAX_STARTS || errorCode(error) !== 'EAGAIN') throw error;
        await delay(START_PAUSE_MS);
      }
    }
  }

  /** @returns an exit code of undefined if the deadline passed. */
  async run(args: readonly string[], deadlineMs: number, env: NodeJS.ProcessEnv = {}) {
    const child = await this.#start(args, env);
    this.#child = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-100_000);
      });
    }
    const deadline = new AbortController();
    const exited = once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
    const code = await Promise.race([exited, delay(deadlineMs, undefined, { signal: deadline.signal })]);
    deadline.abort();
    await this.#endAll();
    if (this.#isClosed) return await new Promise<never>(() => {});
    return { code, output };
  }

  /** Runs Jest; temporary files of its tests stay below the folder. */
  async jest(args: readonly string[], deadlineMs: number, environment: NodeJS.ProcessEnv = {}) {
    const temporary = join(this.#folder, '.tmp');
    const report = join(this.#folder, '.report');
    rmSync(report, { force: true });
    mkdirSync(temporary, { recursive: true });
    chmodSync(temporary, 0o1777);
    const env = { ...environment, TMPDIR: temporary, ORS_FAULTS_REPORT: report };
    const { code, output } = await this.run(args, deadlineMs, env);
    const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [];
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    return { code, output, reports: lines.map((line) => JSON.parse(line) as SuiteReport) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endAll();
  }

  async #endAll(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGTERM');
    for (const end = performance.now() + CLOSE_TIMEOUT_MS; performance.now() < end; await delay(50)) {
      if (!signalGroup(pid, 0)) break;
    }
    signalGroup(pid, 'SIGKILL');
    killProcessesIn(this.#folder);
    this.#child = undefined;
  }
}

/** Kills what tests have started in separate process groups. Linux only; elsewhere the group has to do. */
function killProcessesIn(folder: string): void {
  const root = realpathSync(folder);
  for (const pid of existsSync('/proc/self/cwd') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (cwd === root || cwd.startsWith(`${root}/`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

/** @returns whether the group has a process. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
