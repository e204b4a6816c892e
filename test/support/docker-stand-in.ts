import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Program `docker` that precedes the real one in PATH. It records its arguments and imitates Docker without containers:
 * `exec` runs a command on this machine, in a folder instead of /work, and `restart` ends it.
 */
const script = (folder: string) => `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const folder = ${JSON.stringify(folder)};
const args = process.argv.slice(2);
appendFileSync(folder + '/calls', JSON.stringify(args) + '\\n');
const fail = (text, code = 1) => { process.stderr.write(text + '\\n'); process.exit(code); };
if (existsSync(folder + '/failure') && args[0] !== 'rm') fail(readFileSync(folder + '/failure', 'utf8'), 125);
if (existsSync(folder + '/refused')) {
  const { flag, text } = JSON.parse(readFileSync(folder + '/refused', 'utf8'));
  if (args.includes(flag)) fail(text, 125);
}
const container = (name) => folder + '/containers/' + name;
const known = (name) => existsSync(container(name)) || fail('Error response from daemon: No such container: ' + name);
const last = args.at(-1);
if (args[0] === 'run') {
  writeFileSync(container(args[args.indexOf('--name') + 1]), '');
  console.log('0123456789abcdef');
} else if (args[0] === 'exec') {
  const env = { PATH: '/usr/bin:/bin' };
  let at = 1;
  for (; args[at].startsWith('--'); at++) {
    if (args[at] === '--env') {
      const [name, ...value] = args[++at].split('=');
      env[name] = value.join('=');
    } else if (args[at] === '--user') at++;
  }
  known(args[at]);
  const [file, ...rest] = args.slice(at + 1).map((word) => word.replaceAll('/work', folder + '/work'));
  const child = spawn(file, rest, { env, stdio: 'inherit', detached: true });
  writeFileSync(folder + '/running', String(child.pid));
  child.on('exit', (code) => process.exit(code ?? 137));
} else if (args[0] === 'restart') {
  known(last);
  try {
    process.kill(-Number(readFileSync(folder + '/running', 'utf8')), 'SIGKILL');
  } catch (error) {
    // The command has already ended.
    if (error.code !== 'ESRCH') throw error;
  }
}
else if (args[0] === 'rm') rmSync(container(last), { force: true });
else if (args[0] === 'inspect') { known(last); console.log('true'); }
else if (args[0] === 'ps') console.log(existsSync(folder + '/list') ? readFileSync(folder + '/list', 'utf8') : '');
else fail("docker: '" + args[0] + "' is not a docker command.");
`;

export async function dockerStandIn() {
  const folder = await mkdtemp(join(tmpdir(), 'docker-'));
  const [bin, before] = [join(folder, 'bin'), process.env.PATH];
  await Promise.all([mkdir(bin), mkdir(join(folder, 'containers'))]);
  await writeFile(join(bin, 'docker'), script(folder), { mode: 0o755 });
  process.env.PATH = `${bin}${delimiter}${before}`;

  return {
    /** Returns the arguments of all calls of a subcommand so far. */
    calls: async (task: string): Promise<string[][]> => {
      const file = join(folder, 'calls');
      const lines = existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : [];
      return lines.map((line) => JSON.parse(line)).filter(([first]) => first === task);
    },
    /** Sets the names and labels that `docker ps` lists. */
    list: (rows: readonly (readonly [string, string])[]) =>
      writeFile(join(folder, 'list'), rows.map((row) => row.join('\t')).join('\n')),
    loseContainers: async () => {
      await rm(join(folder, 'containers'), { recursive: true });
      await mkdir(join(folder, 'containers'));
    },
    failWith: (text: string) => writeFile(join(folder, 'failure'), text),
    /** Fails all calls that have the flag. */
    refuse: (flag: string, text: string) => writeFile(join(folder, 'refused'), JSON.stringify({ flag, text })),
    takeAway: async () => {
      process.env.PATH = join(folder, 'containers');
    },
    [Symbol.asyncDispose]: async () => {
      process.env.PATH = before;
      await rm(folder, { recursive: true });
    },
  };
}
