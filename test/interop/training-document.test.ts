import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { parse } from 'yaml';
import countdown from '../../examples/countdown/environment.ts';
import { startProvider } from '../rollout/agents/fake-provider.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { codeBlocks, writeFiles } from '../support/document.ts';
import { newFolder } from '../trace/store/stores.ts';
import { describeWithPython, interpreter, python } from './python.ts';
import { venv } from './python-packages.ts';

const run = promisify(execFile);
const examples = 'examples/training';
const document = readFileSync('docs/training.md', 'utf8');
const blocks = codeBlocks('docs/training.md');
const lines = blocks.flatMap(({ info, code }) => (info === 'sh' ? code.trim().split('\n') : []));
const wordsOf = (line: string) => line.replace('npx ors-kit ', '').split(' ');
const readExample = (file: string) => readFileSync(join(examples, file), 'utf8');

// test/documents runs the other commands.
test.each(lines.filter((line) => line.startsWith('npx ors-kit rollout ')))('`%s` measures a model', async (line) => {
  await using server = await serve([countdown], { port: 0 });
  await using provider = await startProvider([]);
  await using folder = await newFolder();
  const shown = line.replace('http://127.0.0.1:8000/v1', provider.url).replace('http://127.0.0.1:8080', server.url);

  const { code, stderr } = await orsInProcess([...wordsOf(shown), '--limit', '2', '--out', join(folder.path, 'run')]);

  expect([code, code === 0 || stderr]).toEqual([0, true]);
  expect(provider.requests.map(({ body }) => body.model)).toEqual(Array(8).fill('countdown-1'));
});

test('all its commands are known: of `ors`, of pip, of an example, and one that reads groups', () => {
  const kinds = [
    /^npx ors-kit (traces )?(serve|rollout) /,
    /^pip install trl openreward$/,
    /^python trl_grpo\.py \S+$/,
  ];

  const others = lines.filter((line) => !kinds.some((kind) => kind.test(line)));

  expect(others).toEqual([
    expect.stringMatching(/^export ORS_URL=\S+ ORS_ENVIRONMENT=\S+$/),
    expect.stringMatching(/^export ORS_TRACES_URL=\S+ ORS_RUN=\S+$/),
    expect.stringMatching(
      /^curl "http:\/\/127\.0\.0\.1:8090\/v1\/organizations\/default\/groups\?run=countdown-1&sort=std"$/,
    ),
  ]);
  const read = readdirSync(examples).flatMap((file) => readExample(file).match(/\bORS_[A-Z_]+\b/g) ?? []);
  for (const name of others.join().match(/\bORS_[A-Z_]+\b/g) ?? []) expect(read).toContain(name);
});

test('its versions are those that the tests have', () => {
  const pins = ['requirements.txt', 'requirements-alone.txt'].map((name) =>
    readFileSync(join('test/interop', name), 'utf8'),
  );
  const said = document.match(/tested with (.*)\.$/m)?.[1]?.split(/, | and /) ?? [];

  const pinned = said.map((each) => each.replace(' ', '=='));

  expect(pinned).toHaveLength(5);
  for (const pin of pinned) expect(pins.join('').split('\n')).toContain(pin);
});

test('its configuration for verl names the class of the example', () => {
  const [{ name, _target_: target }] = parse(blocks.find(({ info }) => info === 'yaml')?.code ?? '');

  const [module, loop] = target.split('.');

  expect(readExample(`${module}.py`)).toContain(`@register("${name}")\nclass ${loop}(ToolAgentLoop):`);
});

describeWithPython()('the Python of docs/training.md', () => {
  const programs = blocks.filter(({ info }) => info === 'python');

  const whole = programs.filter(({ code }) => !code.includes('import BasePPOExp'));

  test.each(whole.map(({ code, output = '' }) => [code.split('\n', 1)[0], code, output] as const))(
    'runs, and prints what is shown: %s ...',
    async (_, code, output) => {
      await using server = await serve([countdown], { port: 0 });
      await using written = await writeFiles({ 'program.py': code });
      const [command, ...before] = python;
      const variables = { NO_PROXY: '127.0.0.1', ORS_URL: server.url, OPENREWARD_DISABLE_UPDATE_CHECK: '1' };
      const env = { ...process.env, ...variables, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: resolve(examples) };

      const { stdout, stderr } = await run(command, [...before, written.path('program.py')], { env });

      expect([stdout, stderr]).toEqual([output, '']);
      expect(server.sessionCount).toBe(0);
    },
  );

  test('overrides a method that SkyRL has, with its parameters', async () => {
    const [code = ''] = programs.map(({ code }) => code).filter((each) => each.includes('import BasePPOExp'));

    await run(interpreter, ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);

    const [method = 'none'] = code.match(/def get_generator\(.*\):/) ?? [];
    const [version = ''] = readdirSync(join(venv, 'lib'));
    const folder = join(venv, 'lib', version, 'site-packages');
    const source = readFileSync(join(folder, 'skyrl/train/entrypoints/main_base.py'), 'utf8');
    expect(source).toContain('class BasePPOExp');
    expect(source).toContain(method);
  });
});
