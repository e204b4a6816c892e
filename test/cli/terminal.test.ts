import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { image } from 'ors-kit';
import { toolInput } from '../../src/cli/remote/tool-input.ts';
import { imageFolder, inlineImage } from '../../src/cli/terminal/show-episode.ts';
import { safeJson, wrapText } from '../../src/cli/terminal/terminal.ts';
import { nearestName, shellCommand, stripControls } from '../../src/core/index.ts';
import type { JSONObject } from '../../src/protocol/index.ts';
import fc from '../support/fast-check.ts';

test.each([
  ['colour \x1b[31mred\x1b[0m', 'colour red'],
  ['title \x1b]0;owned\x07 end', 'title  end'],
  ['clear \x1b[2J\x1b[H', 'clear '],
  ['one byte \x9b31m', 'one byte '],
  ['half a sequence \x1b', 'half a sequence '],
  ['bell \x07 and back \x08', 'bell  and back '],
  ['over\rwritten', 'over\nwritten'],
  ['lines\r\nand\ttabs\n', 'lines\nand\ttabs\n'],
  ['turned \u202eback\u2069', 'turned back'],
  ['Grüße, 世界 🎲', 'Grüße, 世界 🎲'],
])('%j is printed as %j', (text, printed) => {
  expect(stripControls(text)).toBe(printed);
});

test('removes control characters from everything that a server sends, and keeps JSON equal', () => {
  const control = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u;
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('\x1b', '[', ']', ';', '\x07', '\x9b', '\x9d', '\\', '1', 'm', '\u202e', '\n'),
      }),
      (text) => {
        expect(stripControls(text)).not.toMatch(control);
        expect(safeJson({ text })).not.toMatch(control);
        expect(JSON.parse(safeJson({ text }))).toEqual({ text });
      },
    ),
  );
});

test.each([
  ['short', 10, 'short'],
  ['one two three', 8, 'one two\nthree'],
  ['  one two three', 8, '  one\n  two\n  three'],
  ['incomprehensibilities are long', 10, 'incomprehensibilities\nare long'],
  ['a\n\nb', 10, 'a\n\nb'],
  [`${' '.repeat(20)}a b c`, 4, 'a b\nc'],
])('%j in %i columns is %j', (text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});

test.each<[schema: JSONObject, type: string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'date' }, 'string (date)'],
  [{ type: 'string', minLength: 1, maxLength: 9 }, 'string, 1 to 9 characters'],
  [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
  [{ enum: ['north', 2] }, '"north" | 2'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'array', items: { type: 'integer' } }, 'integer[]'],
  [{ type: 'array', items: { type: ['integer', 'null'] } }, '(integer | null)[]'],
  [{ type: 'object', properties: { x: { type: 'number' }, y: {} }, required: ['x'] }, '{x: number, y?: any JSON}'],
  [{ $ref: '#/$defs/point' }, '{next?: {next?: object}}'],
  [{ $ref: 'https://example.com/schema' }, 'any JSON'],
  [{ $ref: '#/$defs/n', minimum: 1 }, 'integer, at least 5'],
  [{ $ref: '#/$defs/gone', type: 'string' }, 'string'],
  [{ $ref: '#/$defs/100%' }, 'string'],
  [{ $ref: '#Gone' }, 'any JSON'],
  [{ allOf: [{ type: 'string' }] }, 'string'],
  [{}, 'any JSON'],
])('a parameter with the schema %j is shown as %s', (schema, type) => {
  const $defs = {
    point: { type: 'object', properties: { next: { $ref: '#/$defs/point' } } },
    n: { type: 'integer', minimum: 5 },
    '100%': { type: 'string' },
  };

  const [parameter] = toolInput({ type: 'object', properties: { k: schema }, $defs }).parameters;

  expect(parameter?.type).toBe(type);
});

test('lists the parameters behind and beside a reference of the whole input', () => {
  const A = { properties: { x: { type: 'integer', description: 'X.' } }, required: ['x'] };

  const { parameters } = toolInput({ $ref: '#/$defs/A', properties: { y: {} }, $defs: { A } });

  expect(parameters).toMatchObject([
    { name: 'y', required: false },
    { name: 'x', required: true, description: 'X.' },
  ]);
});

test('marks a parameter as required if all alternatives require it', () => {
  const both = { type: { const: 'a' }, x: { type: 'integer' } };
  const oneOf = [
    { properties: both, required: ['type', 'x'] },
    { properties: { type: { const: 'b' } }, required: ['type'] },
  ];

  const { parameters } = toolInput({ oneOf });

  expect(parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
    ['type', '"a" | "b"', true],
    ['x', 'integer', false],
  ]);
});

test('saves numbered images without overwriting files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ors-images-test-'));
  await writeFile(join(folder, '1.png'), 'mine');
  const images = imageFolder(folder);

  const paths = [
    await images.save(image(Buffer.from('png'), 'image/png')),
    await images.save(image(Buffer.from('odd'), '../../x')),
  ];

  expect(paths).toEqual([join(folder, '2.png'), join(folder, '3.bin')]);
  expect(await readFile(join(folder, '1.png'), 'utf8')).toBe('mine');
  expect(await readFile(join(folder, '2.png'), 'utf8')).toBe('png');
  expect(await readdir(folder)).toHaveLength(3);
  await rm(folder, { recursive: true });
});

test.each<[env: NodeJS.ProcessEnv, mimeType: string, begin: string | undefined]>([
  [{ TERM_PROGRAM: 'iTerm.app' }, 'image/jpeg', '\x1b]1337;File=inline=1;size=5000:'],
  [{ TERM_PROGRAM: 'WezTerm' }, 'image/png', '\x1b]1337;File=inline=1;size=5000:'],
  [{ KITTY_WINDOW_ID: '1' }, 'image/png', '\x1b_Gf=100,a=T,m=1;'],
  [{ TERM: 'xterm-kitty' }, 'image/png', '\x1b_Gf=100,a=T,m=1;'],
  [{ TERM: 'xterm-kitty' }, 'image/jpeg', undefined],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'iTerm.app' }, 'image/png', undefined],
  [{ TERM: 'xterm-256color' }, 'image/png', undefined],
])('in a terminal of %j an %s is drawn by %j', (env, mimeType, begin) => {
  const drawn = inlineImage(image(Buffer.alloc(5_000), mimeType), env);

  expect(drawn?.slice(0, begin?.length)).toBe(begin);
});

test('sends only base64 to the terminal as an image', () => {
  const hostile = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA\x1b\\\x1b]0;owned\x07' };

  const drawn = inlineImage(hostile, { TERM_PROGRAM: 'WezTerm' });

  expect([...(drawn ?? '')].filter((character) => character < ' ')).toEqual(['\x1b', '\x07', '\n']);
});

test.each([
  ['cuntdown', 'countdown'],
  ['Maze', 'maze'],
  ['zzz', undefined],
])('%s is near %s', (name, near) => {
  expect(nearestName(name, ['countdown', 'maze'])).toBe(near);
});

test('quotes shell characters in a command line to copy', () => {
  expect(shellCommand('ors', 'call', 'http://h:1/x', "it's", '$(rm -rf)')).toBe(
    String.raw`ors call http://h:1/x 'it'\''s' '$(rm -rf)'`,
  );
});
