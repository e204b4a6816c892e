import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeFiles } from './support/document.ts';

// It has no types, so it is imported by a name that the compiler does not follow.
const script: string = '../scripts/prune-types.mjs';
const { pruneTypes } = await import(script);

/** Returns the files that remain of a package with the entry `index.d.ts`. */
async function prune(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  await using written = await writeFiles(files);
  const folder = written.path('');
  pruneTypes(folder, [written.path('index.d.ts')]);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test('keeps what the entry exports and what that refers to', async () => {
  const left = await prune({
    'index.d.ts': "export { type Shop } from './shop.ts';\n",
    'shop.d.ts': [
      "import type { Order, Unused } from './order.ts';",
      "import type { Server } from 'node:http';",
      '/** A shop. */',
      'export interface Shop {',
      '    orders: Order[];',
      '}',
      '/** Internal. */',
      'export declare const start: (server: Server) => Unused;',
      '',
    ].join('\n'),
    'order.d.ts': 'interface Item {}\nexport type Order = Item[];\nexport type Unused = Item;\nexport {};\n',
    'alone.d.ts': 'export declare const alone = 1;\n',
  });

  expect(left).toEqual({
    'index.d.ts': "export { type Shop } from './shop.ts';\n",
    'shop.d.ts':
      "import type { Order } from './order.ts';\n/** A shop. */\nexport interface Shop {\n    orders: Order[];\n}\n",
    'order.d.ts': 'interface Item {}\nexport type Order = Item[];\nexport {};\n',
  });
});

test.each([
  ['import("./a.ts").A', 'A'],
  ['typeof import("./a.ts")', 'A B'],
])('follows %s', async (type, kept) => {
  const left = await prune({
    'index.d.ts': `export type Entry = ${type};\n`,
    'a.d.ts': 'export type A = 1;\nexport type B = 2;\n',
  });

  expect(left['a.d.ts']?.match(/(?<=type )\w/g)?.join(' ')).toBe(kept);
});

test('follows names through indexes, under other names, and through `export *`', async () => {
  const left = await prune({
    'index.d.ts': "import type { Renamed } from './all.ts';\nexport declare const value: Renamed;\n",
    'all.d.ts': "export * from './none.ts';\nexport * from './some.ts';\n",
    'none.d.ts': 'type Hidden = 1;\nexport {};\n',
    'some.d.ts': "export { Original as Renamed, Unused } from './original.ts';\n",
    'original.d.ts': 'export declare class Original {}\nexport declare class Unused {}\n',
  });

  expect(left).toMatchObject({
    'all.d.ts': "export * from './some.ts';\n",
    'some.d.ts': "export { Original as Renamed } from './original.ts';\n",
    'original.d.ts': 'export declare class Original {}\n',
  });
  expect(left).not.toHaveProperty(['none.d.ts']);
});

test('keeps declarations without a name, overloads and references', async () => {
  const text = [
    '/// <reference types="node" />',
    'export declare function parse(text: string): string;',
    'export declare function parse(text: number): number;',
    "declare module 'express' {",
    '    interface Request {',
    '        id: string;',
    '    }',
    '}',
    '',
  ].join('\n');

  expect(await prune({ 'index.d.ts': "export { parse } from './parse.ts';\n", 'parse.d.ts': text })).toMatchObject({
    'parse.d.ts': text,
  });
});

test('removes the methods that paths of a specification lack', async () => {
  const left = await prune({
    'index.d.ts': 'export interface paths {\n    "/ping": {\n        get?: never;\n        post: string;\n    };\n}\n',
  });

  expect(left).toEqual({
    'index.d.ts': 'export interface paths {\n    "/ping": {\n        post: string;\n    };\n}\n',
  });
});
