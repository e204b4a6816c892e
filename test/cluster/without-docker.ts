import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { submit: { description: 'End it.', run: () => ({ text: 'Over.', finished: true }) } },
  });
`;

/** Runs the instructions of a Dockerfile as processes of this machine. */
export interface Container extends AsyncDisposable {
  /** Returns true if a command in exec form succeeds. */
  readonly exec: (command: string) => Promise<boolean>;
  readonly stop: (signal: string) => void;
  readonly exited: Promise<number | null>;
}

/** Returns the arguments of the last instruction with this name, without its options. */
export function instruction(dockerfile: string, name: string): string {
  const all = [...dockerfile.replaceAll('\\\n', ' ').matchAll(new RegExp(`^${name}((?: +--\\S+)*) +(.*)$`, 'gm'))];
  const [, , text] = all.at(-1) ?? [];
  if (text === undefined) throw new Error(`the Dockerfile has no ${name}`);
  return text.trim().replace(/^CMD /, '');
}

/**
 * Follows a Dockerfile in a folder: what a project has is put there, the RUN steps are run as shell, then the server is
 * started by ENTRYPOINT and CMD. The package is the one that this checkout would publish.
 */
export async function startInContainer(
  dockerfile: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<Container> {
  await makeProject(folder);
  const defaults = instruction(dockerfile, 'ENV')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...Object.fromEntries(defaults), ...variables };
  const steps = [...dockerfile.matchAll(/^RUN (.*)$/gm)].map(([, step = '']) => step);
  // This machine keeps the packages that it has.
  const installs = steps.filter((step) => step.startsWith('apt-get '));
  for (const step of steps) if (!installs.includes(step)) await run('sh', ['-c', step], { cwd: folder, env });
  const words: string[] = ['ENTRYPOINT', 'CMD'].flatMap((name) => JSON.parse(instruction(dockerfile, name)));
  const [init, end, program = '', ...args] = words;
  const isInit = init === 'tini' && end === '--' && installs.some((step) => / tini( |$)/.test(step));
  if (!isInit) throw new Error(`the Dockerfile does not start by an init that it installs: ${words.join(' ')}`);
  const server: ChildProcess = spawn(join(folder, program), args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(server, 'exit').then(([code]) => code as number | null);
  return {
    async exec(command) {
      const [name = '', ...rest] = JSON.parse(command) as string[];
      return run(name, rest, { cwd: folder, env }).then(
        () => true,
        () => false,
      );
    },
    stop: (signal) => void server.kill(signal as NodeJS.Signals),
    exited,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

/** A project with an environment, this package among its dependencies, and a lock file. */
async function makeProject(folder: string): Promise<void> {
  const packed = join(folder, 'packed');
  await mkdir(packed);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed]);
  const [name = ''] = await readdir(packed);
  await copyFile(join(packed, name), join(folder, 'ors-kit.tgz'));
  const description = { private: true, type: 'module', dependencies: { 'ors-kit': 'file:ors-kit.tgz' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(description));
  await writeFile(join(folder, 'environment.js'), ENVIRONMENT);
  await run('npm', ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}
