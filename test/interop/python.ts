import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll } from '@jest/globals';
import { describeUnless, type Suites } from '../support/optional.ts';
import { forks, interpreter, packages, python, venv } from './python-packages.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export { interpreter, packages, python };

const here = dirname(fileURLToPath(import.meta.url));
const modes = ['async', 'sync'] as const;
// No keys or servers of the user, no proxy for the loopback, no compiled files next to the scripts.
const surroundings = {
  ...process.env,
  ...{ ORS_API_KEY: '', OPENREWARD_API_KEY: '', OPENREWARD_URL: '', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
  ...{ OPENREWARD_DISABLE_UPDATE_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
};

/** Each package in each of its two programming styles. */
export const clients = packages.flatMap((name) => modes.map((mode) => ({ name, mode })));

/** The tests with the Python packages; skipped, with the reason, where these are not installed, or for another reason. */
export function describeWithPython(reasonToSkip?: string): Suites {
  const missing = whyNoPython() ?? reasonToSkip;
  if (missing === undefined) beforeAll(importPackages);
  return describeUnless(missing);
}

/** Before the time limits of scripts begin: a busy machine imports the packages in a minute. */
async function importPackages() {
  const [command, ...args] = python;
  if (forks !== undefined) await promisify(execFile)(command, args);
}

export const hasPython = (): boolean => whyNoPython() === undefined;

function whyNoPython(): string | undefined {
  if (!existsSync(interpreter)) return '.cache/python has no Python clients; run: sh scripts/python.sh';
  const copy = join(venv, 'requirements.txt');
  if (existsSync(copy) && readFileSync(copy, 'utf8') === pins()) return undefined;
  return 'the Python clients in .cache/python are not those of test/interop/requirements.txt; run: sh scripts/python.sh';
}

/** The version of a package that requirements.txt pins. */
export function versionOf(name: (typeof packages)[number]): string {
  const [, version] = new RegExp(`^${name}==(\\S+)$`, 'm').exec(pins()) ?? [];
  if (version === undefined) throw new Error(`requirements.txt pins no version of ${name}`);
  return version;
}

const pins = () =>
  ['requirements.txt', 'requirements-alone.txt'].map((name) => readFileSync(join(here, name), 'utf8')).join('');

export interface Played {
  readonly exitCode: number | null;
  /** A line `ok <subject>` or `not ok <subject>: <reason>` for each subject that was played. */
  readonly lines: readonly string[];
}

/** Runs a player of this folder, at most `timeLimitMs` long; what it writes to standard error is shown if it fails. */
export async function runPlayer(
  script: string,
  args: readonly string[],
  { timeLimitMs = 240_000, env = {} }: { timeLimitMs?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<Played> {
  const [command, ...before] = python;
  const player = spawn(command, [...before, join(here, script), ...args], {
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    env: { ...surroundings, ...env },
  });
  let output = '';
  let complaints = '';
  player.stdout.on('data', (text) => {
    output += text;
  });
  player.stderr.on('data', (text) => {
    complaints += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    player.on('error', reject);
    player.on('close', resolve);
  });
  if (exitCode !== 0) process.stderr.write(`${script} ${args.join(' ')}\n${complaints}\n`);
  return { exitCode, lines: output.split('\n').filter((line) => /^(not )?ok /.test(line)) };
}

/** Starts a server of this folder; see startServerProcess for what it must do. */
export function startPythonServer(script: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const [command, ...before] = python;
  return startServerProcess({
    command,
    args: [...before, join(here, script)],
    env: { ...surroundings, LOG_LEVEL: 'CRITICAL', PYTHONPATH: here, ...env },
  });
}
