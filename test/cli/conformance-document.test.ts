import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EXIT_CODES } from '../../src/conformance/index.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { codeBlocks } from '../support/document.ts';

const DOCUMENT = 'docs/conformance.md';
const markdown = readFileSync(DOCUMENT, 'utf8');
const _commands = codeBlocks(DOCUMENT).flatMap(({ info, code }) => (info === 'sh' ? [code.trim()] : []));

test('documents every option of the command, and no other', async () => {
  const { stdout: help } = await orsInProcess(['conformance', '--help']);

  const named = new Set(Array.from(markdown.matchAll(/(?<![\w-])--[a-z][a-z-]*/g), ([option]) => option));
  const there = new Set(Array.from(help.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm), ([, option = '']) => option));
  expect([...named].filter((option) => !there.has(option))).toEqual(['--port', '--yes']);
  expect([...there].filter((option) => !named.has(option))).toEqual(['--help']);
});

test('documents every exit code', () => {
  const rows = Array.from(markdown.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));

  expect(rows).toEqual(Object.values(EXIT_CODES).sort((a, b) => a - b));
});
