import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '../support/client.ts';
import { ORS } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { describeUnless, testUnless } from '../support/optional.ts';
import { newFolder } from '../trace/store/stores.ts';

const missing = (shell: string) => {
  const isInstalled = spawnSync(shell, ['--version']).status === 0;
  return isInstalled ? undefined : `completion for ${shell} needs ${shell}; install it`;
};

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const scripts = new Map<string, string>();

beforeAll(async () => {
  await loadExpress();
  for (const shell of SHELLS) scripts.set(shell, (await orsInProcess(['completion', shell])).stdout);
});

const run = (program: string, args: readonly string[], cwd?: string) =>
  spawnSync(program, args, { encoding: 'utf8', timeout: 30_000, ...(cwd !== undefined && { cwd }) });

/** Completes a line with each shell, and returns what it offers. */
const complete = {
  bash(line: string, cwd?: string): string[] {
    const code = `${scripts.get('bash')}
      COMP_LINE="$1" COMP_POINT=\${#1}; _ors; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(run('bash', ['-c', code, 'bash', line], cwd).stdout);
  },
  // Outside of its line editor, zsh has none of the functions that show words; these print them.
  zsh(line: string, cwd?: string): string[] {
    const code = `compdef() { : }; compset() { : }; _files() { print -l *(N) }
      compadd() { shift; print -l -- $@ }
      _describe() { print -l -- \${\${(P)\${@[-1]}}%%:*} }
      ${scripts.get('zsh')}
      words=(\${(s: :)1}); [[ $1 == *' ' ]] && words+=(''); CURRENT=$#words; _ors`;
    const { stdout } = run('zsh', ['-f', '-c', code, 'zsh', line], cwd);
    const word =
      line
        .split(' ')
        .at(-1)
        ?.replace(/^--\w+=/, '') ?? '';
    return lines(stdout).filter((each) => each.startsWith(word));
  },
  fish(line: string, cwd?: string): string[] {
    const code = `${scripts.get('fish')}\ncomplete -C ${JSON.stringify(line)}`;
    return lines(run('fish', ['--no-config', '-c', code], cwd).stdout).map((each) => each.replace(/\t.*/, ''));
  },
};

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('contains every command and flag of --help', async () => {
  const { stdout } = await orsInProcess(['--help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  const script = scripts.get('bash') ?? '';

  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const help = await orsInProcess([command, '--help']);
    const flags = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    const [, own = ''] =
      new RegExp(`^ +(?:'ors ${command}'|ors ${command})\\) names=.* flags=(.*) ;;$`, 'm').exec(script) ?? [];
    expect(own.replaceAll("'", '').split(' ')).toEqual(expect.arrayContaining(flags));
  }
});

test('suggests a command for a misspelled one', async () => {
  const { code, stderr } = await orsInProcess(['cal', 'http://127.0.0.1:1']);

  expect([code, stderr]).toEqual([1, expect.stringMatching(/'cal'.*Did you mean call\?.*run ors --help/s)]);
});

test('rejects an unknown shell with the known ones', async () => {
  const { code, stderr } = await orsInProcess(['completion', 'tcsh']);

  expect([code, stderr]).toEqual([1, expect.stringMatching(/'tcsh'.*bash, zsh, fish/s)]);
});

for (const shell of SHELLS) {
  describeUnless(missing(shell))(`completion of ${shell}`, () => {
    test.each([
      ['commands', 'ors tra', ['traces']],
      ['commands below commands', 'ors traces st', ['stats']],
      ['flags', 'ors traces export --fo', ['--format']],
      ['no flags of other commands', 'ors generate --forma', []],
      ['values', 'ors serve --log-level s', ['silent']],
      ['values after other words', 'ors traces ls --run a --status fin', ['finished']],
      ['values of an argument', 'ors completion z', ['zsh']],
    ])('completes %s', (_what, line, words) => {
      expect(complete[shell](line)).toEqual(words);
    });

    test('completes files for modules and for flags', async () => {
      await using folder = await newFolder();
      await writeFile(join(folder.path, 'module.ts'), '');

      const offered = ['ors serve mod', 'ors serve a.ts mod', 'ors traces ls --db mod'].map((line) =>
        complete[shell](line, folder.path),
      );

      expect(offered).toEqual([['module.ts'], ['module.ts'], ['module.ts']]);
    });
  });
}

testUnless(missing('bash'))('completes a value after =, and what follows a subcommand beside arguments', () => {
  expect(complete.bash('ors traces ls --order=d')).toEqual(['desc']);
  expect(complete.bash('ors conformance d')).toEqual(['diff']);
  expect(complete.bash('ors conformance http://127.0.0.1:1 d')).toEqual([]);
});

describe('environments of a server', () => {
  test('are printed for the scripts', async () => {
    await using server = await start(lab().environment);

    const { code, stdout } = await orsInProcess(['completion', 'environments', server.url]);

    expect([code, stdout]).toEqual([0, 'lab\n']);
  });

  testUnless(missing('bash'))('are asked for once the line has a URL', () => {
    const script = `ors() { [[ "$*" == 'completion environments http://127.0.0.1:8080' ]] && echo lab maze; }
      ${scripts.get('bash')}
      for line in 'ors call http://127.0.0.1:8080 ' 'ors mcp http://127.0.0.1:8080 --env m' 'ors mcp --env '; do
        COMP_LINE="$line" COMP_POINT=\${#line}; _ors; echo "\${COMPREPLY[@]}"
      done`;

    expect(run('bash', ['-c', script]).stdout).toBe('lab maze\nmaze\n\n');
  });
});

testUnless(missing('bash'))('offers commands in an interactive bash', () => {
  const [node, main] = ORS;
  const code = `ors() { ${node} ${main} "$@"; }; source <(ors completion bash); complete -p ors`;

  expect(run('bash', ['-c', code]).stdout).toBe('complete -F _ors ors\n');
});
