import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { type AnyClient, misdirectedCalls } from './generated-client.ts';
import { SMALL_SPECIFICATIONS } from './small-specifications.ts';
import { orsGenerate, workshop } from './workshop.ts';

const USE = `
import { createForgeClient } from './forge-client.js';
import { createPaymentsClient } from './payments-client.js';
import { validators } from './atlas-validators.js';
import type { components } from './atlas.js';

const forge = createForgeClient({ baseUrl: 'http://localhost' });
const params = { path: { owner: 'a', repo: 'b' } };
export const fork: Promise<boolean | undefined> = forge.reposGet({ params }).then(({ data }) => data?.fork);
export const message = forge.reposGet({ params }).then(({ error }) => error?.message);
export const issues = forge.getReposByOwnerByRepoIssues({ params: { ...params, query: { labels: ['a'] } } });
export const login = issues.then(({ data }) => data?.map(({ assignee }) => assignee?.login.length));
export const archive: Promise<Blob | undefined> = forge
  .getArchive({ params: { path: { file: 'a', format: 'zip' } } })
  .then(({ data }) => data);

const payments = createPaymentsClient();
export const charges = payments.GetCharges({ params: { query: { created: { gt: 1 }, expand: ['data'] } } });
export const sources = charges.then(({ data }) =>
  data?.data.map(({ source }) => (source.object === 'card' ? source.customer?.id : undefined)),
);
export const charge = payments.PostCharges({ body: { amount: 1, metadata: { a: 'b' } } });

export const at: components['schemas']['Place']['at'] = [1, 2];
export const value: components['schemas']['Value'] = [{ a: [null, 1] }];
export const kind = (each: unknown) => (validators.Ring(each) ? each.kind.length + each.points.length : 0);
`;

test('generates clients of small specifications, which compile and call their operations', async () => {
  await using shop = await workshop();
  const names = Object.keys(SMALL_SPECIFICATIONS);
  const outcomes = [];
  const wrong = [];
  for (const [name, document] of Object.entries(SMALL_SPECIFICATIONS)) {
    const spec = await shop.write(`${name}.openapi.json`, JSON.stringify(document));
    outcomes.push(await orsGenerate(spec, '--out', shop.folder, '--events-from', '../../src/sse/index.ts'));
    const { operations } = await import(shop.path(`${name}-operations.ts`));
    const [create] = Object.values<(options: object) => AnyClient>(await import(shop.path(`${name}-client.ts`)));
    if (create) wrong.push(...(await misdirectedCalls(operations, create)));
  }

  const parts = ['', '-operations', '-document', '-validators', '-client'];
  const files = names.flatMap((name) => parts.map((part) => shop.path(`${name}${part}.ts`)));
  const errors = compileErrors([await shop.write('use.ts', USE), ...files]);

  expect(outcomes).toEqual([
    { exitCode: 0, stderr: '' },
    { exitCode: 0, stderr: '' },
    {
      exitCode: 0,
      stderr:
        'ors: GET /places/{area}/{id} is named getPlacesByAreaById2, because getPlacesByAreaById is the name of GET /places-by-id\n',
    },
  ]);
  expect(wrong).toEqual([]);
  expect(errors).toEqual([]);
});

function compileErrors(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: [
      'lib.es2024.d.ts',
      'lib.dom.d.ts',
      'lib.dom.iterable.d.ts',
      'lib.dom.asynciterable.d.ts',
      'lib.esnext.disposable.d.ts',
    ],
    skipLibCheck: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => files.includes(file?.fileName ?? ''))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}
