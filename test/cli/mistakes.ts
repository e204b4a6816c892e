import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiKeys } from 'ors-kit/server';
import { serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { quiz } from '../bridges/quiz.ts';
import { start } from '../support/client.ts';
import type { CommandResult } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { freePort } from '../support/free-ports.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { HEALTHY, says, smallServer } from './conformance-scratch.ts';

/** A typical mistake: what is typed after `ors`, and what its message has to contain. */
export interface Mistake {
  /** Words, separated by spaces. Names in capitals, such as SERVER, are those of the world. */
  readonly typed: string;
  /** Exit code. @default 1 */
  readonly code?: number;
  /** Texts of the output: what is wrong (a file, flag, key or name), then what to do. */
  readonly says: readonly string[];
  /** Texts that the output must not have: words that only authors of programs or of this package know. */
  readonly hides?: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Servers and files that all mistakes share. */
export interface World extends AsyncDisposable {
  /** Replaces the names of servers and files. */
  readonly fill: (text: string) => string;
}

const EPISODE = '--split train --index 0';

const module = (body: string) => `import { defineEnvironment } from 'ors-kit';\n\n${body}\n`;
const FILES: Readonly<Record<string, string>> = {
  'environment.mjs': module('export const nothing = 1;'),
  'environment.py': 'print("hello")\n',
  'notes.txt': 'notes\n',
  'needs.mjs': "import { z } from 'no-such-package';\n",
  'splits.ts': 'export const splits = {};\n',
  'imports.ts':
    "import { defineEnvironment } from 'ors-kit';\nimport { splits } from './split';\nexport const nothing = splits;\n",
  'imports.mjs': "import './imports-deeper.mjs';\n",
  'imports-deeper.mjs': "export { splits } from './nowhere/splits.js';\n",
  'promt.mjs': module(
    "export default defineEnvironment({\n  name: 'words',\n  splits: { train: [{}] },\n  promt: () => 'Well?',\n  tools: {},\n});",
  ),
  'marked.json': '\ufeff{"n":7}',
  'list.json': '[1]',
  'text.db': 'this is not a database'.repeat(100),
};

/** Starts the servers and writes the files. Modules are in the checkout, so that they can import the package. */
export async function openWorld(): Promise<World> {
  await mkdir('.cache', { recursive: true });
  const code = await mkdtemp(join('.cache', 'mistakes-'));
  const folder = await mkdtemp(join(tmpdir(), 'ors-mistakes-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(code, name), text);
  const server = await start([lab().environment, quiz]);
  const locked = await start(lab().environment, { authenticate: apiKeys(['ann:a-key-of-ann']) });
  const other = await smallServer(says(HEALTHY));
  const store = createMemoryStore();
  await store.createTrace('default', { id: 'tr_1', run: 'first-run' });
  const traces = await serveTraces({ store, port: 0 });
  const names: Readonly<Record<string, string>> = {
    SERVER: server.url,
    TLS: server.url.replace('http:', 'https:'),
    LOCKED: locked.url,
    OTHER: `${other.url}/elsewhere`,
    CLOSED: `http://127.0.0.1:${await freePort()}`,
    STORE: traces.url,
    STORETLS: traces.url.replace('http:', 'https:'),
    CODE: code,
    FOLDER: folder,
  };
  return {
    fill: (text) => text.replaceAll(/\b[A-Z]{3,8}\b/g, (name) => names[name] ?? name),
    async [Symbol.asyncDispose]() {
      await traces.close();
      await store.close();
      for (const each of [other, locked, server]) await each[Symbol.asyncDispose]();
      for (const each of [code, folder]) await rm(each, { recursive: true });
    },
  };
}

/** Tests the message of each mistake, in this process. The suites share the table, so that none loads all commands. */
export function testMistakes(mistakes: readonly Mistake[]): void {
  let world: World;

  beforeAll(async () => {
    await loadExpress();
    world = await openWorld();
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  test.each(mistakes)('says what is wrong and what to do: ors $typed', async (mistake) => {
    const { typed, input = '', env = {} } = mistake;

    const result = await orsInProcess(world.fill(typed).split(' '), { input, env });

    expect({ ...result, lacks: lacks(mistake, result, world) }).toMatchObject({ lacks: [] });
  });
}

/** Texts of the operating system and of OpenSSL about missing files and failed connections. */
const RAW = /\b(ENOENT|ENOTDIR|EEXIST|EISDIR|EACCES|EPROTO)\b|:SSL routines:/;

/** Returns the parts of a message that are missing, and a wrong exit code. Empty if the message is as it should be. */
export function lacks(
  { code = 1, says: parts, hides = [] }: Mistake,
  result: CommandResult,
  { fill }: World,
): string[] {
  const output = result.stdout + result.stderr;
  const missing = parts.map(fill).filter((part) => !output.includes(part));
  const exit = result.code === code ? [] : [`exit code ${code}`];
  const isDoubled = /^ors: (ors|error):/m.test(output) ? ['one prefix'] : [];
  const isRaw = RAW.test(output) ? ['words instead of an error number'] : [];
  const shown = hides.filter((part) => output.includes(part)).map((part) => `no '${part}'`);
  return [...exit, ...isDoubled, ...isRaw, ...missing, ...shown];
}

const RUNS = 'check the address, and that the server runs';

export const CALL_MISTAKES: readonly Mistake[] = [
  { typed: 'call', says: ["'url'", 'try: ors call http://127.0.0.1:8080'] },
  { typed: 'call SERVER lab --tsaks test', says: ['--tsaks', 'Did you mean --tasks?', 'run ors call --help'] },
  { typed: 'call 127.0.0.1:8080', says: ["'127.0.0.1:8080'", 'expected a URL such as http://127.0.0.1:8080'] },
  { typed: 'call htp://host', says: ["'htp://host'", 'expected a URL such as http://host'] },
  { typed: 'call http://me:secret@host', says: ['user name or password', '--header'] },
  { typed: 'call CLOSED', says: ['CLOSED', RUNS] },
  { typed: 'call TLS', says: ['no response from TLS', 'the server there speaks http; pass SERVER'] },
  { typed: 'call OTHER', says: ['OTHER', 'pass the URL below which /list_environments is served'] },
  { typed: 'call LOCKED', says: ['401', '--api-key or ORS_API_KEY'] },
  { typed: 'call LOCKED --api-key wrong', says: ['401', 'a valid key with --api-key'] },
  { typed: `call SERVER lba ${EPISODE}`, says: ["environment 'lba'", "Did you mean 'lab'?"] },
  { typed: 'call SERVER lab --tasks tran', says: ["split 'tran'", "Did you mean 'train'?"] },
  { typed: 'call SERVER lab --split train --index 99', says: ['index 99', "split 'train'"] },
  { typed: 'call SERVER lab --split train --index one', says: ['--index', 'whole number'] },
  { typed: 'call SERVER lab --index 0', says: ['--index', 'add --split <name>'] },
  { typed: 'call SERVER lab --split train', says: ['--split', 'add --index <number>'] },
  { typed: 'call SERVER lab echo text=a', says: ["'echo'", '--split <name> --index <number>'] },
  { typed: `call SERVER lab ecko ${EPISODE}`, says: ["tool 'ecko'", "Did you mean 'echo'?"] },
  { typed: `call SERVER lab echo ${EPISODE} text`, says: ["'text'", 'key=value or key:=json'] },
  { typed: `call SERVER lab echo ${EPISODE} txet=a`, says: ["'txet'", "Did you mean 'text'?", '--input'] },
  {
    typed: `call SERVER lab echo ${EPISODE} --input {"txet":"a"}`,
    code: 2,
    says: ["'txet' is not a parameter", "did you mean 'text'?"],
  },
  { typed: `call SERVER lab echo ${EPISODE} text=a times=two`, says: ['times', 'an integer', 'times:=<json>'] },
  { typed: `call SERVER lab echo ${EPISODE} text=a text=b`, says: ["duplicate parameter 'text'"] },
  { typed: `call SERVER lab echo ${EPISODE}`, code: 2, says: ['/text is missing', 'shows the parameters'] },
  { typed: `call SERVER lab echo ${EPISODE} --input {text:1}`, says: ['--input', 'with double quotes inside'] },
  {
    typed: `call SERVER lab echo ${EPISODE} --input @FOLDER/none.json`,
    says: ['--input', 'none.json', 'check the path'],
  },
  { typed: 'call SERVER lab --task [1]', says: ['--task', 'must be a JSON object'] },
  { typed: `call SERVER lab ${EPISODE} --secret NO_SUCH_KEY`, says: ['--secret', 'NAME=VALUE'] },
  { typed: 'call SERVER --header nothing', says: ['--header', "'Name: value'"] },
  { typed: 'call SERVER --ca FOLDER/none.pem', says: ['--ca <file>', 'none.pem', 'check the path'] },
  { typed: 'call SERVER --timeout 0', says: ['--timeout <seconds>', 'above 0'] },
  { typed: 'call SERVER lab --keep', says: ['--keep', 'add --split <name> --index <number>'] },
  { typed: 'call SERVER lab --close', says: ['--close', 'needs --sid <id>'] },
  { typed: `call SERVER lab ${EPISODE} --answer 2`, says: ['--answer', 'call a tool instead'] },
  { typed: 'play SERVER lab --split tran', says: ["split 'tran'", "Did you mean 'train'?"] },
  { typed: 'play SERVER --split train --index 0', input: '\nq\n', code: 0, says: ['(Enter: lab)', 'lab, train 0'] },
  {
    typed: `play SERVER quiz ${EPISODE}`,
    input: 'answer\n\n2\n',
    code: 0,
    says: ['the message is empty; write ""', 'reward 1'],
  },
  { typed: 'play SERVER lab --task @CODE/marked.json', input: 'q\n', code: 0, says: ['task {"n":7}'] },
  { typed: `play SERVER lab ${EPISODE}`, input: '\ufefffinish\n', code: 0, says: ['The episode is finished'] },
  { typed: 'mcp SERVER --env lab', says: ['no task', '--split <name> and --index <number>'] },
  { typed: 'mcp SERVER --split train --index 0', says: ['several environments', '--env'] },
  { typed: 'mcp SERVER --env lba --task @CODE/marked.json', says: ['--env', "Did you mean 'lab'?"] },
  { typed: 'top TLS', says: ['no response from TLS', 'the server there speaks http; pass SERVER'] },
  {
    typed: 'mcp SERVER --env lab --split train --index 0 --rewards FOLDER/none/rewards',
    says: ['its folder does not'],
  },
  { typed: 'top OTHER', says: ['OTHER/metrics', 'ors top works with'] },
  { typed: 'top SERVER --interval 0', says: ['--interval <seconds>', 'from 0.1'] },
];

export const CODE_MISTAKES: readonly Mistake[] = [
  { typed: 'validate CODE/nowhere/x.ts', code: 2, says: ['nowhere', 'its folder does not exist'] },
  { typed: 'validate CODE/enviroment.mjs', code: 2, says: ['enviroment.mjs', "Did you mean 'environment.mjs'?"] },
  { typed: 'validate CODE/environment.py', code: 2, says: ['environment.py', 'Python', 'pass the URL of its server'] },
  { typed: 'validate CODE', code: 2, says: ['CODE is a folder', 'environment.ts'] },
  { typed: 'validate CODE/notes.txt', code: 2, says: ['notes.txt', 'pass a .ts, .js or .mjs file'] },
  { typed: 'validate CODE/needs.mjs', code: 2, says: ['needs.mjs', 'npm install no-such-package'] },

  { typed: 'validate CODE/promt.mjs', code: 2, says: ["'promt'", "did you mean 'prompt'?", '> 3 | export default'] },
  { typed: 'validate CODE/environment.mjs', code: 2, says: ['environment.mjs', 'export default defineEnvironment('] },
  { typed: 'serve CODE/promt.mjs --port 0', says: ['promt.mjs', "did you mean 'prompt'?", '> 3 | export default'] },
  { typed: 'serve CODE/needs.mjs --port 0', says: ['needs.mjs', 'npm install no-such-package'] },
  {
    typed: 'serve CODE/imports.ts --port 0',
    says: [
      "CODE/imports.ts:2:24 imports './split', which does not exist",
      "Did you mean './splits.ts'?",
      '> 2 | import { splits }',
    ],
  },
  {
    typed: 'validate CODE/imports.mjs',
    code: 2,
    says: [
      "CODE/imports-deeper.mjs:1:24 imports './nowhere/splits.js'",
      'does not exist; check the path',
      '> 1 | export',
    ],
  },
  { typed: 'serve', says: ["'module'", 'try: ors serve environment.ts'] },
  {
    typed: 'serve CODE/environment.mjs --host 0.0.0.0',
    says: ['0.0.0.0', '(--api-keys <file> or ORS_API_KEYS)', 'or confirm with --insecure\n'],
    hides: ['authenticate', 'insecure: true'],
  },
  { typed: 'serve CODE/environment.mjs', env: { PORT: 'http' }, says: ["env 'PORT'", 'a whole number from 0'] },
  {
    typed: 'serve CODE/environment.mjs --api-keys FOLDER/none',
    says: ['there is no file FOLDER/none; check the path in --api-keys'],
  },
  { typed: 'serve CODE/environment.mjs --api-keys FOLDER', says: ['--api-keys', 'it is a folder; pass a file'] },
  { typed: 'serve CODE/environment.mjs --traces-spool spool', says: ['--traces-spool', 'needs --traces <url>'] },
  {
    typed: 'serve CODE/environment.mjs --traces FOLDER/none/traces.db',
    says: ['--traces', 'none/traces.db', 'its folder must exist'],
  },
  { typed: 'serve CODE/environment.mjs --traces=', says: ["--traces: invalid database ''", 'expected a SQLite file'] },
  {
    typed: 'serve CODE/environment.mjs --journal=',
    says: ["--journal: invalid database ''", 'expected a SQLite file'],
  },
  {
    typed: 'serve CODE/environment.mjs',
    env: { ORS_JOURNAL: '' },
    says: ["--journal: invalid database ''", 'expected a SQLite file'],
  },
  { typed: 'serve CODE/environment.mjs --journal-mode sync', says: ['--journal-mode', 'needs --journal <database>'] },
  { typed: 'serve CODE/environment.mjs --evict-after 5', says: ['--evict-after', 'needs --journal <database>'] },
  { typed: 'validate SERVER --env lba', code: 2, says: ['--env', "Did you mean 'lab'?"] },
  { typed: 'validate SERVER --env lab --split tran', code: 2, says: ['--split', "Did you mean 'train'?"] },
  { typed: 'validate SERVER --ignore goal-is-knwon', code: 2, says: ['--ignore', "Did you mean 'goal-is-known'?"] },
  { typed: 'audit SERVER --attack AUDIT-LEEK', code: 2, says: ['--attack', "'AUDIT-LEEK'", 'AUDIT-LEAK-01'] },
  { typed: 'audit SERVER --env lab --split tran', code: 2, says: ['--split', "Did you mean 'train'?"] },
  { typed: 'audit replay FOLDER/none.json SERVER', code: 2, says: ['<finding>', 'none.json', 'check the path'] },
  { typed: 'audit replay CODE/list.json SERVER', code: 2, says: ['list.json', 'findings of a report'] },
  { typed: 'tasks diff none.jsonl none.jsonl', code: 2, says: ["'none.jsonl'", 'check the path'] },
  { typed: 'tasks snapshot CODE/notes.txt', says: ['notes.txt', 'pass the URL of a server, or a module'] },
  {
    typed: 'tasks snapshot SERVER --env lab --split train --out FOLDER/none/tasks.jsonl',
    says: ["cannot write 'FOLDER/none/tasks.jsonl'", 'its folder does not exist'],
  },
  { typed: 'tasks snapshot SERVER --env lba', says: ['--env', "Did you mean 'lab'?"] },
  { typed: 'rollout --agent random', says: ['URL of the server', 'write: ors rollout http://127.0.0.1:8080'] },
  { typed: 'rollout SERVER', says: ['no agent', '--model <provider>/<model>', '--agent random'] },
  { typed: 'rollout SERVER --agent orcale', says: ['--agent', "Did you mean 'oracle'?", 'pass a file'] },
  { typed: 'rollout SERVER --agent oracle', says: ['oracle', '--module <file>'] },
  { typed: 'rollout SERVER --agent CODE/notes.txt', says: ['notes.txt', '.mjs'] },
  { typed: 'rollout SERVER --agent idle --env lba', says: ['--env', "Did you mean 'lab'?"] },
  { typed: 'rollout SERVER --agent idle --env lab --split tran', says: ['--split', "Did you mean 'train'?"] },
  { typed: 'rollout SERVER --agent idle --env lab --split train --tasks 5', says: ['--tasks', 'from 0 to 1'] },
  { typed: 'rollout SERVER --agent idle --tasks x', says: ['--tasks <list>', '0-99,250'] },
  { typed: 'rollout SERVER --model gpt-5', says: ['"gpt-5"', '<provider>/<model>'] },
  { typed: 'rollout SERVER --model openai/gpt-5', says: ['OPENAI_API_KEY', '--key-variable'] },
  { typed: 'rollout SERVER --model absent/m', says: ['npm install @ai-sdk/absent', '--base-url'] },
  { typed: 'rollout SERVER --model m --base-url localhost:8000', says: ['--base-url', 'http://127.0.0.1:8000/v1'] },
  {
    typed: 'rollout --resume FOLDER/none',
    says: ['there is no file FOLDER/none/run.json', 'pass the folder of a run'],
  },
  {
    typed: 'rollout TLS --agent idle',
    says: ['no response from TLS', 'the server there speaks http; pass SERVER'],
  },
  {
    typed: 'rollout SERVER --agent idle --env lab --split train --out CODE/notes.txt/run',
    says: ['cannot write CODE/notes.txt/run/run.json', 'choose another folder with --out'],
  },
  {
    typed: 'rollout SERVER --agent idle --env lab --split train --out FOLDER/unreachable --traces CLOSED',
    says: ['--traces', 'CLOSED', 'then resume with: ors rollout --resume'],
  },
  {
    typed: 'rollout SERVER --agent idle --env lab --split train --out FOLDER/unwritable --traces FOLDER/no/x.db',
    says: ['--traces', 'no/x.db', 'its folder must exist'],
  },
];

export const STORE_MISTAKES: readonly Mistake[] = [
  { typed: 'conformance', code: 2, says: ['URL', 'write: ors conformance http://127.0.0.1:8080'] },
  { typed: 'conformance LOCKED', code: 3, says: ['requires an API key', '--api-key or ORS_API_KEY'] },
  { typed: 'conformance LOCKED --api-key wrong', code: 3, says: ['LOCKED', 'check the key in --api-key'] },
  { typed: 'conformance OTHER', code: 3, says: ['OTHER', 'pass the URL below which /list_environments is served'] },
  { typed: 'conformance CLOSED', code: 3, says: ['CLOSED', RUNS] },
  {
    typed: 'conformance TLS',
    code: 3,
    says: ['TLS: ', 'the server there speaks http; pass SERVER'],
  },
  { typed: 'conformance SERVER --env lba', code: 3, says: ['--env', "Did you mean 'lab'?"] },
  { typed: 'conformance SERVER --env lab --tool ecko', code: 2, says: ['--tool', "Did you mean 'echo'?"] },
  { typed: 'conformance SERVER --only sesion', code: 2, says: ['--only', "Did you mean 'session'?"] },
  { typed: 'conformance SERVER --profile ful', code: 2, says: ['--profile', "Did you mean 'full'?"] },
  { typed: 'conformance SERVER --sdk openrewrad', code: 2, says: ['--sdk', "Did you mean 'openreward'?"] },
  { typed: 'conformance SERVER --explain ORS-DISC-025', code: 0, says: ['pass'] },
  { typed: 'conformance diff none.json none.json', code: 2, says: ['none.json', 'check the path'] },
  { typed: 'conformance-client', code: 2, says: ['--command', "write: ors conformance-client --command 'python"] },
  { typed: 'generate none.yaml --out FOLDER', says: ['none.yaml', 'does not exist'] },
  { typed: 'generate spec/ors.openapi.yaml', says: ['--out <folder>', 'try: ors generate'] },
  { typed: 'proxy-config --engine apache --nodes 127.0.0.1:1', says: ['--engine', 'nginx, haproxy'] },
  { typed: 'proxy-config --engine nginx', says: ['--nodes', 'try: ors proxy-config'] },
  { typed: 'traces lss', says: ["'lss'", 'Did you mean ls?', 'run ors traces --help'] },
  { typed: 'traces ls', says: ['traces.db', '--db <file>', '--url http://127.0.0.1:8090'] },
  { typed: 'traces ls --db none.db', says: ['none.db', '--db <file>', '--url <server>'] },
  { typed: 'traces serve --db= --port 0', says: ["--db: invalid database ''", 'expected a SQLite file'] },
  { typed: 'traces ls --db STORE', says: ['--db', 'with --url'] },
  { typed: 'traces ls --db CODE/text.db', says: ['--db', 'text.db', 'pass the file of a trace database'] },
  { typed: 'traces ls --db FOLDER', says: ['--db', 'FOLDER', 'check the path'] },
  { typed: 'traces ls --db a --url CLOSED', says: ['--db', '--url', 'pass one'] },
  { typed: 'traces ls --url CLOSED', says: ['CLOSED', RUNS, '--url'] },
  {
    typed: 'traces ls --url STORETLS',
    says: ['STORETLS', 'the server there speaks http; pass STORE'],
  },
  { typed: 'traces ls --url SERVER', says: ['SERVER', 'ors traces serve', '--url'] },
  { typed: 'traces ls --url STORE --run frist-run', says: ['--run', '"frist-run"', "Did you mean 'first-run'?"] },
  { typed: 'traces ls --url STORE --run frist-run --json', says: ['--run', "Did you mean 'first-run'?"] },
  { typed: 'traces scores --url STORE --run frist-run', says: ['--run', "Did you mean 'first-run'?"] },
  { typed: 'traces export --url STORE --run frist-run', says: ['--run', "Did you mean 'first-run'?"] },
  { typed: 'traces stats --url STORE frist-run', says: ['"frist-run"', "Did you mean 'first-run'?"] },
  { typed: 'traces ls --url STORE --model none', code: 0, says: ['no traces match', 'without filters'] },
  { typed: 'traces ls --url STORE --status odd', says: ['--status', 'running, finished'] },
  { typed: 'traces ls --url STORE --csv --json', says: ['--csv', '--json', 'run ors traces ls --help'] },
  { typed: 'traces show --url STORE tr_none', says: ['tr_none', 'ors traces ls', '--org'] },
  { typed: 'traces show --url STORE ../1', says: ["'../1'", 'ors traces ls lists them'] },
  { typed: 'traces export --url STORE', says: ['no traces selected', '--run <name>'] },
  { typed: 'traces delete --url STORE tr_1', says: ['Delete tr_1', '--yes'] },
  { typed: 'traces prune --url STORE', says: ['--older-than', 'try: ors traces prune'] },
  { typed: 'traces import --url STORE CODE', says: ['CODE', 'pass the files in it'] },
  { typed: 'traces score --url STORE tr_1 --name good', says: ['--value, --label', '--comment'] },
  {
    typed: 'traces serve --keys keys.txt',
    says: ["unexpected argument 'keys.txt'", '--keys takes no value', 'ors traces keys add creates keys'],
    hides: ['too many arguments'],
  },
  { typed: 'init one two', says: ["unexpected argument 'two'", 'run ors init --help'] },
  {
    typed: 'traces serve --db :memory: --host 0.0.0.0',
    says: ['0.0.0.0', '(--keys)', 'or confirm with --insecure\n'],
    hides: ['needsKeys', 'insecure: true'],
  },
  {
    typed: 'completion tcsh',
    says: ["invalid shell 'tcsh'", 'bash, zsh, fish'],
    hides: ['environments'],
  },
  { typed: 'completion --help', code: 0, says: ['"bash", "zsh", "fish"'], hides: ['"environments"', '[url]'] },
  { typed: 'traces keys list --url STORE', says: ['--url', 'run it on that machine with --db <file>'] },
  { typed: 'replay FOLDER/none.jsonl', says: ['none.jsonl', 'check the path'] },
  { typed: 'replay CODE/list.json --port 0', says: ['list.json', 'pass an export of ors traces export'] },
];
