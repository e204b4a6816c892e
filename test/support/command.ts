import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// What Jest, or whoever runs it, would have the command do.
const { NODE_OPTIONS: _o, NO_COLOR: _n, FORCE_COLOR: _f, ORS_API_KEY: _k, ...environment } = process.env;

export const ORS = [process.execPath, '--import', 'tsx', `${root}src/cli/main.ts`] as const;

export interface CommandOptions {
  /** Standard input. Default: nothing, and its end. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs; it is killed at the end of the test, if it has not ended by itself. */
export interface RunningCommand extends Disposable {
  readonly child: ChildProcess;
  /** All that was written so far, standard output and error. */
  readonly written: () => string;
  readonly result: Promise<CommandResult>;
}

/** Starts a program; its standard input stays open. */
export function startCommand([program, ...args]: readonly string[], env: CommandOptions['env'] = {}): RunningCommand {
  const child = spawn(program ?? '', args, { cwd: root, env: { ...environment, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A program that ends early does not read what it is sent.
  child.stdin.on('error', () => undefined);
  const result = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, written: () => stdout + stderr, result, [Symbol.dispose]: () => child.kill('SIGKILL') };
}

/** Runs `ors` from the sources. */
export async function ors(args: readonly string[], { input = '', env }: CommandOptions = {}): Promise<CommandResult> {
  using command = startCommand([...ORS, ...args], env);
  command.child.stdin?.end(input);
  return await command.result;
}
