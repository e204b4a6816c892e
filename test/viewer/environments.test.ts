import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { transpileModule } from 'typescript';
import { shellCommand } from '../../src/core/index.ts';
import { inputSchema, schemaRows } from '../../src/viewer/page/environments/input-schema.ts';
import {
  clientProgramText,
  playCommandText,
  rolloutCommandText,
  summarizeTask,
} from '../../src/viewer/page/environments/task-text.ts';
import fc, { runs, unicode } from '../support/fast-check.ts';

const task = { url: 'http://127.0.0.1:8080', environment: 'countdown', split: 'train' };

test('prints commands that can be pasted into a shell', () => {
  expect(playCommandText({ ...task, split: "odd split's", index: 7 })).toBe(
    "npx ors-kit play http://127.0.0.1:8080 countdown --split 'odd split'\\''s' --index 7",
  );
  expect(rolloutCommandText(task)).toBe(
    'npx ors-kit rollout http://127.0.0.1:8080 --env countdown --split train --model openai/gpt-5 -n 8',
  );
});

test('quotes any name as one word for a shell', () => {
  const names = unicode({ minLength: 1 }).filter((name) => !name.includes('\0') && name.isWellFormed());
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 20 }), (words) => {
      const output = execFileSync('bash', ['-c', `printf '%s\\0' ${shellCommand(...words)}`], { encoding: 'utf8' });

      expect(output).toBe(words.map((word) => `${word}\0`).join(''));
    }),
    { numRuns: runs(20) },
  );
});

test('prints a valid program for any name of an environment', () => {
  fc.assert(
    fc.property(unicode(), fc.string(), (environment, split) => {
      const program = clientProgramText({ ...task, environment, split }, environment);

      const { diagnostics } = transpileModule(program, {
        reportDiagnostics: true,
        compilerOptions: { module: 99, target: 99 },
      });

      expect(diagnostics).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});

test('summarizes a task in one line', () => {
  expect(summarizeTask({ numbers: [1, 2], text: 'two\n lines', deep: { a: null } })).toBe(
    'numbers: [1,2] · text: two lines · deep: {"a":null}',
  );
  expect(summarizeTask({})).toBe('an empty task');
  expect(summarizeTask({ long: 'x'.repeat(1_000_000), more: 1 })).toBe(`long: ${'x'.repeat(79)}… · more: 1`);
  expect(
    summarizeTask(Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`field${at}`, at]))).length,
  ).toBeLessThan(170);
});

test('lists the fields of a schema with their nested fields', () => {
  const input = inputSchema({
    type: 'object',
    required: ['points'],
    properties: {
      points: { type: 'array', items: { $ref: '#/$defs/Point' }, minItems: 1, description: 'Where to go.' },
      limit: { $ref: '#/$defs/limit', minimum: 1, allOf: [{ maximum: 9 }] },
      speed: { type: 'number', default: 1, exclusiveMinimum: 0 },
    },
    $defs: {
      limit: { type: 'integer', minimum: 5 },
      Point: { type: 'object', properties: { x: { type: 'number' }, next: { $ref: '#/$defs/Point' } } },
    },
  });

  const rows = schemaRows(input);

  expect(rows.map(({ name, type, isRequired }) => `${name}: ${type}${isRequired ? '!' : ''}`)).toEqual([
    'points: object[]!',
    'points[].x: number',
    'points[].next: object',
    'points[].next.x: number',
    'points[].next.next: object',
    'limit: integer',
    'speed: number',
  ]);
  expect(rows[0]).toMatchObject({ description: 'Where to go.', notes: ['at least 1 item'] });
  expect(rows.at(-2)?.notes).toEqual(['5 to 9']);
  expect(rows.at(-1)?.notes).toEqual(['default 1', 'more than 0']);
});
