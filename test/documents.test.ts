import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { play } from 'ors-kit/testing';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import ts from 'typescript';
import { codeBlocks, type DocumentFiles, writeFiles } from './support/document.ts';

const documents = [
  'README.md',
  'docs/environments.md',
  'docs/sandboxes.md',
  'docs/client.md',
  'docs/traces.md',
  'docs/rollouts.md',
];
const withEnvironments = ['README.md', 'docs/environments.md'];
/** Where the documents serve their environments. */
const ADDRESS = 'http://127.0.0.1:8081';
/** Where they keep runs. */
const RUNS = "'runs/";
/** Where they have a trace store. */
const TRACES = 'http://127.0.0.1:8090';

/** A part of an environment that a document shows alone, with an environment around it that is the same for all. */
const withRest = (part: string) => `
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEnvironment, defineTool, image, text, ToolError } from 'ors-kit';
import { z } from 'zod';

const rest = {
  name: 'part',
  task: z.object({ question: z.string(), answer: z.string() }),
  splits: { test: [{ question: '1 + 1', answer: '2' }] },
  prompt: () => 'a prompt',
  tools: { nothing: { description: 'Does nothing.', run: () => ({ text: '' }) } },
};
void [mkdir, mkdtemp, rm, tmpdir, join, defineTool, image, text, ToolError];

export default defineEnvironment({
...rest,
${part}
});
`;

type Files = Readonly<Record<string, string>>;

/** All TypeScript of a document by file name. */
function filesOf(document: string): Files {
  const blocks = codeBlocks(document).filter(({ info }) => info.startsWith('ts'));
  return Object.fromEntries(
    blocks.map(({ info, code, file }, index) => {
      if (info === 'ts part') return [`part-${index}.ts`, withRest(code)];
      if (file) return [file, code];
      throw new Error(`${document}: the first line of a ts block names its file, this does not: ${code.slice(0, 80)}`);
    }),
  );
}

const exportsDefault = (code: string) => /^export default/m.test(code);

async function environmentsOf(files: Files, written: DocumentFiles): Promise<Environment[]> {
  const names = Object.keys(files).filter((file) => exportsDefault(files[file] ?? ''));
  const modules = await Promise.all(
    names.map((file) => import(written.path(file)) as Promise<{ default: Environment }>),
  );
  // Agents are functions.
  return modules.map((module) => module.default).filter((each) => typeof each !== 'function');
}

test.each(documents)('the code of %s compiles under strict settings', async (document) => {
  const files = filesOf(document);
  await using written = await writeFiles(files);
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd());

  const program = ts.createProgram(Object.keys(files).map(written.path), { ...options, noEmit: true });

  expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), formatHost)).toBe('');
});

test.each(withEnvironments)(
  'the environments of %s are accepted, and their own players earn a reward',
  async (document) => {
    const files = filesOf(document);
    await using written = await writeFiles(files);

    const environments = await environmentsOf(files, written);

    const whole = environments.filter(({ name }) => name !== 'part');
    expect(whole).not.toEqual([]);
    for (const environment of whole) {
      await using episode = await play(environment, { split: 'test', index: 0 });
      const outputs = await episode.solve();
      expect(outputs.reduce((sum, { reward }) => sum + (reward ?? 0), 0)).toBeGreaterThan(0);
    }
  },
);

const programs = documents.flatMap((document) =>
  codeBlocks(document)
    .filter(({ info, code }) => info === 'ts' && !exportsDefault(code))
    .map(({ file = '', output }) => [document, file, output] as const),
);

test.each(programs)('in %s, %s runs, and prints what is shown', async (document, file, output) => {
  // The other documents play the environment of the README.
  const files = { ...filesOf('README.md'), ...filesOf(document) };
  await using written = await writeFiles(files);
  const environments = await environmentsOf(files, written);
  await using server = await serve(
    environments.filter(({ name }) => name !== 'part'),
    { port: 0 },
  );
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0 });
  const code = (files[file] ?? '')
    .replaceAll(ADDRESS, server.url)
    .replaceAll(TRACES, traces.url)
    .replaceAll(RUNS, `'${written.path('runs/')}`);
  await writeFile(written.path(file), code);
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);

  await import(written.path(file));

  const printed = log.mock.calls.map((line) => `${format(...line)}\n`).join('');
  log.mockRestore();
  expect(printed).not.toBe('');
  if (output !== undefined) expect(printed).toBe(output);
});

test('every target of make that the documents name is there', () => {
  const makefile = readFileSync('Makefile', 'utf8');

  const named = [...documents, 'ARCHITECTURE.md', 'CONTRIBUTING.md']
    .flatMap((document) => [...readFileSync(document, 'utf8').matchAll(/(?:`|^)make ([a-z-]+)/gm)])
    .map(([, target]) => target);

  expect(named).toContain('start');
  expect(named.filter((target) => !new RegExp(`^${target}:`, 'm').test(makefile))).toEqual([]);
});

test('every dependency has its row in CONTRIBUTING.md', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

  const rows = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| ([@a-z][^|]*) \|/gm);
  const explained = [...rows].flatMap(([, names = '']) => names.split(', '));

  expect(explained.sort()).toEqual(
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
  );
});

const formatHost: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => process.cwd(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};
