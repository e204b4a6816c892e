import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fixture from '../../examples/conformance/environment.ts';
import { EXIT_CODES } from '../../src/conformance/index.ts';
import { start } from '../support/client.ts';
import { ORS, ors, startCommand } from '../support/command.ts';
import { codeBlocks } from '../support/document.ts';
import { scratch } from './conformance-scratch.ts';

const DOCUMENT = 'docs/conformance.md';
const markdown = readFileSync(DOCUMENT, 'utf8');
const commands = codeBlocks(DOCUMENT).flatMap(({ info, code }) => (info === 'sh' ? [code.trim()] : []));

test.each(commands)('`%s` works', async (code) => {
  await using server = await start(fixture);
  await using folder = await scratch();
  const here = code
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replace('conformance-report', folder.path('report'));
  const npx = `npx() { shift; ${ORS.map((word) => `'${word}'`).join(' ')} "$@"; }`;

  using command = startCommand(['sh', '-c', `${npx}\n${here}`]);
  const { stdout, stderr, code: exitCode } = await command.result;

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).not.toBe('');
});

test('every option that the document names is one of the command, and every option of the command is named', async () => {
  const { stdout: help } = await ors(['conformance', '--help']);

  const named = new Set(Array.from(markdown.matchAll(/(?<![\w-])--[a-z][a-z-]*/g), ([option]) => option));
  const there = new Set(Array.from(help.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm), ([, option = '']) => option));
  expect([...named].filter((option) => !there.has(option))).toEqual(['--port', '--yes']);
  expect([...there].filter((option) => !named.has(option))).toEqual(['--help']);
});

test('the document has every exit code', () => {
  const rows = Array.from(markdown.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));

  expect(rows).toEqual(Object.values(EXIT_CODES).sort((a, b) => a - b));
});
