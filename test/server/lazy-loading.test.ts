import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const program = `
  import { createRequire } from 'node:module';
  import { z } from 'zod';
  import { defineEnvironment } from './src/index.ts';
  import { createServer } from './src/server/index.ts';
  const server = createServer([
    defineEnvironment({
      name: 'lab',
      splits: { train: [{ n: 1 }] },
      task: z.object({ n: z.number() }),
      prompt: () => 'Go.',
      tools: { submit: { description: 'Submit.', input: z.object({ n: z.number() }), run: () => 'Done.' } },
    }),
  ]);
  process.stdout.write(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
  await server.close();
`;

test('answers before it loads Express, its validator, ajv, OpenTelemetry or pino', () => {
  const flags = ['--import', 'tsx', '--input-type=module'];

  const output = execFileSync(process.execPath, [...flags, '--eval', program], { encoding: 'utf8' });

  const files: readonly string[] = JSON.parse(output);
  const isLoaded = (name: string) => files.some((file) => file.includes(join('node_modules', name, '/')));
  const slow = ['@opentelemetry/api', 'ajv', 'express', 'express-openapi-validator', 'pino'];

  expect(slow.filter(isLoaded)).toEqual([]);
});
