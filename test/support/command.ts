import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Commands do not see other variables of the shell, such as CI, NO_COLOR, NODE_OPTIONS or a key.
const inherited = ['PATH', 'HOME', 'TMPDIR'];
const inheritedVariables = Object.entries(process.env).filter(([name]) => inherited.includes(name));
export const inheritedEnvironment = Object.fromEntries(inheritedVariables) as Readonly<Record<string, string>>;

/** For a command that never says what a test waits for. */
const DEADLINE_MS = 45_000;

export const ORS = [process.execPath, `${root}dist/src/cli/main.js`] as const;

export interface CommandOptions {
  /** Standard input. Default: nothing, and its end. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandResult {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs; it is killed at the end of the test, if it has not ended by itself. */
export interface RunningCommand extends Disposable, AsyncDisposable {
  readonly child: ChildProcess;
  /** All that was said so far, standard output and error. */
  readonly said: () => string;
  /**
   * The first match after the last one that was found in the same of standard output and error: of the two, neither says
   * when it was written. Rejects if the command ends before, or has not said it in 45 s.
   */
  readonly says: (pattern: RegExp) => Promise<RegExpMatchArray>;
  readonly result: Promise<CommandResult>;
}

/** Starts a program; its standard input stays open. */
export function startCommand([program, ...args]: readonly string[], env: CommandOptions['env'] = {}): RunningCommand {
  const child = spawn(program ?? '', args, { cwd: root, env: { ...inheritedEnvironment, ...env } });
  const output = { said: '', stdout: '', stderr: '' };
  const hears = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      output.said += text;
      for (const look of hears) look();
    });
  }
  // A program that ends early does not read what it is sent.
  child.stdin.on('error', () => undefined);
  const result = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output }));
  });
  const read = { stdout: 0, stderr: 0 };
  const says = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        for (const name of ['stdout', 'stderr'] as const) {
          const match = output[name].slice(read[name]).match(pattern);
          if (!match) continue;
          read[name] += (match.index ?? 0) + match[0].length;
          hears.delete(look);
          clearTimeout(timer);
          return resolve(match);
        }
      };
      const fail = (what: string) => {
        clearTimeout(timer);
        reject(new Error(`${what} and never said ${pattern}:\n${output.said}`));
      };
      const timer = setTimeout(() => fail(`ran for ${DEADLINE_MS / 1000} s`), DEADLINE_MS);
      hears.add(look);
      look();
      void result.then(({ code }) => fail(`ended (${code})`), reject);
    });
  return {
    child,
    said: () => output.said,
    says,
    result,
    [Symbol.dispose]: () => child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await result;
    },
  };
}

/** Runs `ors` from the sources. */
export async function ors(args: readonly string[], { input = '', env }: CommandOptions = {}): Promise<CommandResult> {
  using command = startCommand([...ORS, ...args], env);
  command.child.stdin?.end(input);
  return await command.result;
}
