import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { attacks, audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { filesOf } from '../documents/typescript.ts';
import { type DocumentFiles, writeFiles } from '../support/document.ts';

interface Pair {
  readonly bad: Environment;
  readonly good: Environment;
}

const inputs = createInputGenerator();
const files = filesOf('docs/auditing.md');
let written: DocumentFiles;
beforeAll(async () => {
  written = await writeFiles(files);
});
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
  await written[Symbol.asyncDispose]();
});

/** Attacks on exploits that no environment of ors-kit can have. */
const PREVENTED = ['AUDIT-LEAK-06', 'AUDIT-REPEAT-03', 'AUDIT-REPEAT-05', 'AUDIT-STATE-05'];

const fileOf = (id: string) => `${id.slice('AUDIT-'.length).toLowerCase()}.ts`;
const pairs = attacks.filter(({ id }) => !PREVENTED.includes(id));

test('has a bad and a good environment for each attack', () => {
  const documented = Object.keys(files).filter((file) => /^[a-z]+-\d\d\.ts$/.test(file));

  expect(documented.sort()).toEqual(pairs.map(({ id }) => fileOf(id)).sort());
});

test.each(pairs)(
  '$id finds the bad environment of docs/auditing.md, and not the good one',
  async ({ id, ...attack }) => {
    const { bad, good } = (await import(written.path(fileOf(id)))) as Pair;
    const kindsOf = async (environment: Environment) => {
      const { findings } = await audit({ environments: [environment] }, { attacks: [id], inputs, tasks: 4 });
      return findings.map(({ kind }) => kind);
    };

    expect(await kindsOf(bad)).toEqual([attack.onlySuspicion ? 'suspicion' : 'proof']);
    expect(await kindsOf(good)).toEqual([]);
  },
);
