import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { attacks, audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { exportsDefault, filesOf } from '../documents/typescript.ts';
import { writeFiles } from '../support/document.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const files = filesOf('docs/auditing.md');
const environments = Object.keys(files).filter((file) => exportsDefault(files[file] ?? ''));

test('has a bad and a good environment of each category', () => {
  const categories = new Set(attacks.map(({ category }) => category));

  expect(environments.sort()).toEqual([...categories].flatMap((each) => [`${each}-bad.ts`, `${each}-good.ts`]).sort());
});

test.each(environments)('finds in %s of docs/auditing.md what the document says', async (file) => {
  await using written = await writeFiles(files);
  const { default: environment } = (await import(written.path(file))) as { default: Environment };

  const [category = ''] = file.split('-');

  const { findings } = await audit(
    { environments: [environment] },
    { attacks: [`AUDIT-${category.toUpperCase()}`], inputs },
  );

  const proofs = findings.filter(({ kind }) => kind === 'proof');
  if (file.endsWith('-good.ts')) expect(proofs).toEqual([]);
  else expect(proofs).not.toEqual([]);
});
