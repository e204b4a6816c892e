/**
 * Generates generated/ from spec/ (`make generate`). With `--check` it writes nothing, lists the stale files and those
 * without a specification, and exits with 1 if there are any.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GenerateError, generate, staleFiles, writeFiles } from '../src/generate/index.ts';
import { requirementsModule } from './requirements-module.ts';

/** Validators are generated only for schemas that are validated; those of all schemas would be 600 KB. */
const SPECS: readonly { readonly path: string; readonly name?: string; readonly validators?: readonly string[] }[] = [
  {
    path: 'spec/ors.openapi.yaml',
    validators: [
      ...['SessionId', 'SessionKey', 'IssueSession', 'CreateSession', 'ForkSession', 'ToolCall', 'ScoreGroup'],
      ...['ListTasks', 'NumTasks', 'GetTask', 'GetTaskRange'],
    ],
  },
  {
    path: 'spec/trace.schema.json',
    validators: ['TraceId', 'BlockId', 'TraceInput', 'TracePatch', 'ScoreInput', 'BulkInput'],
  },
  // The name `trace` is taken by the schema, whose validators serve both.
  { path: 'spec/trace.openapi.yaml', name: 'trace-api' },
  { path: 'spec/conformance-results.schema.json', validators: ['ConformanceResults'] },
];
const FOLDER = 'generated';
const UNWANTED = ['trace-api-validators.ts', 'trace-api.schema.json'];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
try {
  const perSpec = await Promise.all(
    SPECS.map(({ path, ...options }) =>
      generate(path, { ...options, importSuffix: '.ts', eventsFrom: '../src/sse/index.ts' }),
    ),
  );
  const files = [...perSpec.flat().filter(({ name }) => !UNWANTED.includes(name)), requirementsModule()];
  const names = files.map(({ name }) => name);
  const unknown = (await readdir(FOLDER)).filter((name) => !names.includes(name));
  if (process.argv.includes('--check')) {
    const stale = await staleFiles(FOLDER, files);
    for (const path of stale) console.error(`${path} is stale; run: make generate`);
    for (const name of unknown) console.error(`${join(FOLDER, name)} is not generated from a specification; delete it`);
    process.exitCode = stale.length + unknown.length > 0 ? 1 : 0;
  } else {
    await writeFiles(FOLDER, files);
    console.log(`wrote ${files.length} files into ${FOLDER}/`);
  }
} catch (error) {
  if (!(error instanceof GenerateError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
