import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { parseExpectedFailures } from '../../src/conformance/report/verdict.ts';
import { type CodeBlock, codeBlocks, DOCUMENTS } from '../support/document.ts';
import { testUnless } from '../support/optional.ts';
import { orsCommands } from './commands.ts';
import { CHECKED_ELSEWHERE, isExcepted, NOT_COMPARED, NOT_RUN } from './exceptions.ts';
import { exportsDefault } from './typescript.ts';

const blocks = DOCUMENTS.flatMap(codeBlocks);
const ofKind = (kind: string) => blocks.filter(({ info }) => info === kind);

/** Kinds of blocks that a test checks. */
const KINDS = ['ts', 'ts part', 'sh', 'text', 'json', 'yaml', 'js', 'python'];

test('every block of code is of a kind that a test checks', () => {
  const unknown = blocks.filter(({ info }) => !KINDS.includes(info)).map(({ place, info }) => `${place}: '${info}'`);

  expect(unknown).toEqual([]);
  expect(blocks.length).toBeGreaterThan(100);
});

test('every exception applies to exactly one block', () => {
  const hits = [...NOT_RUN, ...NOT_COMPARED].map((row) => blocks.filter((block) => isExcepted(block, [row])).length);

  expect(hits).toEqual(hits.map(() => 1));
  expect(Object.keys(CHECKED_ELSEWHERE).filter((document) => !DOCUMENTS.includes(document))).toEqual([]);
});

test.each(ofKind('json'))('$place is JSON, whole or by line', ({ code }) => {
  expect(jsonValues(code)).not.toEqual([]);
});

test.each(ofKind('yaml'))('$place is YAML', ({ code }) => {
  const documents = parseAllDocuments(code);

  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(parse(code)).toEqual(expect.any(Object));
});

test.each(ofKind('js'))('$place is JavaScript', ({ code }) => {
  const { status, stderr } = spawnSync(process.execPath, ['--check', '--input-type=module'], { input: code });

  expect([status, String(stderr)]).toEqual([0, '']);
});

const python = spawnSync('python3', ['--version']).error;
testUnless(python && 'the Python of the documents needs python3; install it').each(ofKind('python'))(
  '$place is Python',
  ({ code }) => {
    const { status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: code,
    });

    expect([status, String(stderr)]).toEqual([0, '']);
  },
);

/** The output of code is compared by the test that runs the code; test/interop runs Python. */
const isRun = (block: CodeBlock) =>
  ['sh', 'ts', 'python'].includes(block.info) && !isExcepted(block, NOT_RUN) && !exportsDefault(block.code);
const outputs = new Set(blocks.filter(isRun).map(({ output }) => output));
const texts = ofKind('text').filter((block) => !outputs.has(block.code) && !isExcepted(block, NOT_COMPARED));

test.each(texts)('$place, a text that no command prints, has a known format', ({ code }) => {
  const commands = orsCommands(code).filter(({ line }) => line.startsWith('npx '));

  const readings = [() => jsonValues(code), () => [...parseExpectedFailures(code)]];

  expect(commands.length > 0 || readings.some((read) => succeeds(read))).toBe(true);
});

/** Headings that are messages of this package; `...` stands for what varies. */
const messages = Array.from(
  readFileSync('docs/troubleshooting.md', 'utf8').matchAll(/^### `(.+)`$/gm),
  ([, text = '']) => text,
);
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

test.each(messages)('docs/troubleshooting.md explains a message that a source has: %s', (message) => {
  const parts = message.split('...').map((part) => part.trim());

  expect(sources.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
});

test('docs/troubleshooting.md explains each message once, and at least 25', () => {
  expect(messages.length).toBeGreaterThanOrEqual(25);
  expect(new Set(messages).size).toBe(messages.length);
});

function jsonValues(code: string): unknown[] {
  try {
    return [JSON.parse(code)];
  } catch {
    return code
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

function succeeds(read: () => readonly unknown[]): boolean {
  try {
    return read().length > 0;
  } catch {
    return false;
  }
}
