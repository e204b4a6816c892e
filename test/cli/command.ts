import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache');

/** A folder inside of the checkout, so that the package is found from it; gone when it is disposed of. */
export interface Folder extends AsyncDisposable {
  /** As the command line is to name it. */
  readonly path: (name: string) => string;
  /** Saves as editors do: beside the file, and then in its place. */
  readonly save: (name: string, text: string) => Promise<void>;
}

export async function folder(files: Readonly<Record<string, string>>): Promise<Folder> {
  await mkdir(cache, { recursive: true });
  const at = await mkdtemp(join(cache, 'serve-'));
  const save = async (name: string, text: string) => {
    await writeFile(join(at, `${name}~`), text);
    await rename(join(at, `${name}~`), join(at, name));
  };
  for (const [name, text] of Object.entries(files)) await save(name, text);
  return {
    path: (name) => join('.cache', at.slice(cache.length + 1), name),
    save,
    [Symbol.asyncDispose]: () => rm(at, { recursive: true }),
  };
}

/** A command that runs. What it says is looked for from where the last find ended. */
export interface Command extends AsyncDisposable {
  readonly pid: number;
  /** The first place in standard output and error that matches; rejects if the command ends before. */
  readonly says: (pattern: RegExp) => Promise<RegExpMatchArray>;
  /** Everything said so far. */
  readonly said: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Runs `ors` from its sources. */
export const ors = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Command =>
  run('src/cli/main.ts', words, env);

/** Runs a script of the checkout. */
export function run(script: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  const { PORT, HOST, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...words], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let read = 0;
  const hears = new Set<() => void>();
  const hear = (chunk: Buffer | string) => {
    text += chunk;
    for (const look of hears) look();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = endOf(child);
  const says = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = text.slice(read).match(pattern);
        if (!match) return;
        read += (match.index ?? 0) + match[0].length;
        hears.delete(look);
        resolve(match);
      };
      hears.add(look);
      look();
      void ended.then((how) => reject(new Error(`ended (${how}) and never said ${pattern}:\n${text}`)));
    });
  return {
    pid: child.pid ?? 0,
    says,
    said: () => text,
    signal: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** When the process is gone and all that it said is read. Its own processes may hold its output open a while longer. */
function endOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It is one, because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when there is no process of this id. */
export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
