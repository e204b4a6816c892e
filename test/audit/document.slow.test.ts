import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { compile, exportsDefault, filesOf } from '../documents/typescript.ts';
import { writeFiles } from '../support/document.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const files = filesOf('docs/auditing.md');
const environments = Object.keys(files).filter((file) => exportsDefault(files[file] ?? ''));

test('compiles the code of docs/auditing.md', async () => {
  await using written = await writeFiles(files);

  expect(compile(Object.keys(files).map(written.path))).toEqual([]);
  expect(environments).toHaveLength(18);
});

test.each(environments)('finds in %s of docs/auditing.md what the document says', async (file) => {
  await using written = await writeFiles(files);
  const { default: environment } = (await import(written.path(file))) as { default: Environment };

  const isGood = file.endsWith('-good.ts');
  const [category = ''] = file.split('-');
  const attacks = [`AUDIT-${category.toUpperCase()}`];

  const { findings } = await audit({ environments: [environment] }, isGood ? { inputs } : { attacks, inputs });

  const proofs = findings.filter(({ kind }) => kind === 'proof');
  if (isGood) expect(proofs).toEqual([]);
  else expect(proofs).not.toEqual([]);
});
