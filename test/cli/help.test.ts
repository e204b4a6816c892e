import { expect, test } from '@jest/globals';
import { ors } from '../support/command.ts';

test('ors --help and the help of a group load no package but commander', async () => {
  const list = `import { createRequire } from 'node:module';
    process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(createRequire('/').cache))));`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(list)}` };

  const results = await Promise.all([ors(['--help'], { env }), ors(['traces', '--help'], { env })]);

  const packages = results.map(({ stderr }) => {
    const files: string[] = JSON.parse(stderr);
    return [...new Set(files.map((file) => file.match(/node_modules\/([^/]+)/)?.[1]))];
  });
  expect(packages).toEqual([['commander'], ['commander']]);
});
