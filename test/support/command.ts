import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Commands do not see other variables of the shell, such as CI, NO_COLOR, NODE_OPTIONS or a key.
const inherited = ['PATH', 'HOME', 'TMPDIR', 'ORS_BUILT_WORKERS'];
const inheritedVariables = Object.entries(process.env).filter(([name]) => inherited.includes(name));
export const inheritedEnvironment = Object.fromEntries(inheritedVariables) as Readonly<Record<string, string>>;

/** Timeout of an output that a test waits for. */
const DEADLINE_MS = 45_000;

export const ORS = [process.execPath, `${root}dist/src/cli/main.js`] as const;

export interface CommandOptions {
  /** Standard input. @default empty */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandResult {
  /** Exit code, or the signal that ended the process. */
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Running command. It is killed at the end of the test unless it has ended. */
export interface RunningCommand extends Disposable, AsyncDisposable {
  readonly child: ChildProcess;
  /** Returns the output so far, of stdout and stderr together. */
  readonly said: () => string;
  /**
   * Waits for the next match in stdout or stderr. Each stream is searched after its own previous match, since the order
   * of output on different streams is unknown. Rejects if the command ends first, or after 45 s.
   */
  readonly says: (pattern: RegExp) => Promise<RegExpMatchArray>;
  readonly result: Promise<CommandResult>;
}

/** Output of a running command. */
export class CommandOutput {
  said = '';
  readonly texts = { stdout: '', stderr: '' };
  readonly #read = { stdout: 0, stderr: 0 };
  readonly #hears = new Set<() => void>();

  add(name: 'stdout' | 'stderr', text: string): void {
    this.texts[name] += text;
    this.said += text;
    for (const look of this.#hears) look();
  }

  /** Implements `says` of a running command with this result. */
  says(pattern: RegExp, result: Promise<CommandResult>): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        for (const name of ['stdout', 'stderr'] as const) {
          const match = this.texts[name].slice(this.#read[name]).match(pattern);
          if (!match) continue;
          this.#read[name] += (match.index ?? 0) + match[0].length;
          this.#hears.delete(look);
          clearTimeout(timer);
          return resolve(match);
        }
      };
      const fail = (what: string) => {
        clearTimeout(timer);
        reject(new Error(`${what} without the output ${pattern}:\n${this.said}`));
      };
      const timer = setTimeout(() => fail(`ran for ${DEADLINE_MS / 1000} s`), DEADLINE_MS);
      this.#hears.add(look);
      look();
      void result.then(({ code }) => fail(`ended (${code})`), reject);
    });
  }
}

/** Starts a program, and keeps its standard input open. */
export function startCommand([program, ...args]: readonly string[], env: CommandOptions['env'] = {}): RunningCommand {
  const child = spawn(program ?? '', args, { cwd: root, env: { ...inheritedEnvironment, ...env } });
  const output = new CommandOutput();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => output.add(name, text));
  }
  // A program that ends early does not read all of its input.
  child.stdin.on('error', () => undefined);
  const result = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output.texts }));
  });
  return {
    child,
    said: () => output.said,
    says: (pattern) => output.says(pattern, result),
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
