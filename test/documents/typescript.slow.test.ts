import { writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { play } from 'ors-kit/testing';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import { startProvider } from '../rollout/agents/fake-provider.ts';
import { codeBlocks, DOCUMENTS, writeFiles } from '../support/document.ts';
import { CHECKED_ELSEWHERE, NOT_PLAYED } from './exceptions.ts';
import { compile, dataFilesOf, environmentsOf, exportsDefault, filesOf } from './typescript.ts';

/** The URL at which the documents serve environments. */
const ADDRESS = 'http://127.0.0.1:8081';
/** The URL of their trace store. */
const TRACES = 'http://127.0.0.1:8090';
/** The URL of their model. */
const MODEL = 'http://127.0.0.1:8000';
/** The start of the folder names of their runs. */
const RUNS = "'runs/";

const documents = DOCUMENTS.filter(
  (document) => !(document in CHECKED_ELSEWHERE) && Object.keys(filesOf(document)).length > 0,
);
/** Documents build on the environment of the README. */
const withReadme = (document: string) => ({ ...filesOf('README.md'), ...filesOf(document) });

test('the code of all documents compiles under strict settings', async () => {
  // Other tests run the programs of the last two.
  const compiled = [...documents, 'docs/auditing.md', 'docs/bridges.md'];
  const written = await Promise.all(compiled.map((document) => writeFiles(withReadme(document))));

  const found = await compile(
    compiled.flatMap((document, index) =>
      Object.keys(filesOf(document)).flatMap((file) => written[index]?.path(file) ?? []),
    ),
  );

  for (const each of written) await each[Symbol.asyncDispose]();
  expect(found).toEqual([]);
});

const isEnvironment = (code: string) => exportsDefault(code) && code.includes('defineEnvironment(');

test.each(documents.filter((document) => Object.values(filesOf(document)).some(isEnvironment)))(
  'the environments of %s are accepted, and their `solve` earns a reward',
  async (document) => {
    const files = filesOf(document);
    await using written = await writeFiles({ ...files, ...dataFilesOf(document) });

    const environments = await environmentsOf(files, written);

    expect(environments).not.toEqual([]);
    for (const environment of environments.filter(({ name }) => !(name in NOT_PLAYED))) {
      await using episode = await play(environment, { split: 'test', index: 0 });
      const outputs = await episode.solve();
      expect(outputs.reduce((sum, { reward }) => sum + (reward ?? 0), 0)).toBeGreaterThan(0);
    }
  },
);

const programs = documents.flatMap((document) =>
  codeBlocks(document)
    .filter(({ info, code }) => info === 'ts' && !exportsDefault(code) && /console\.log|^await /m.test(code))
    // The others are run from a shell.
    .filter(({ file }) => !codeBlocks(document).some(({ code }) => code.includes(`tsx ${file}`)))
    .map(({ file = '', output }) => [document, file, output] as const),
);

test.each(programs)('in %s, %s runs and prints the documented output', async (document, file, output) => {
  const files = withReadme(document);
  await using written = await writeFiles({ ...files, ...dataFilesOf(document) });
  const environments = await environmentsOf(files, written);
  await using server = await serve(environments, { port: 0 });
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0 });
  await using model = await startProvider([]);
  const code = (files[file] ?? '')
    .replaceAll(ADDRESS, server.url)
    .replaceAll(TRACES, traces.url)
    .replaceAll(MODEL, model.origin)
    .replaceAll('0.0.0.0', '127.0.0.1')
    .replaceAll(RUNS, `'${written.path('runs/')}`);
  await writeFile(written.path(file), code);
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);

  await import(written.path(file));

  const printed = log.mock.calls.map((line) => `${format(...line)}\n`).join('');
  log.mockRestore();
  expect(printed).not.toBe('');
  if (output !== undefined) expect(printed).toBe(output);
});
