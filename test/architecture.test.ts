import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Folders of which the tree names every file. */
const folders = ['spec', 'generated', 'src', 'scripts', 'examples'];

/** The paths that the drawn tree of a document stands for: two spaces of indentation a level, folders end in a slash. */
function drawnFiles(document: string): string[] {
  const [, tree = ''] = document.match(/^```text\n([\s\S]*?)^```$/m) ?? [];
  const around: { indent: number; path: string }[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, space = '', names = ''] = line.match(/^( *)([^\s,]+(?:, [^\s,]+)*)/) ?? [];
    while ((around.at(-1)?.indent ?? -1) >= space.length) around.pop();
    const folder = around.at(-1)?.path ?? '';
    if (!names.endsWith('/')) return names === '' ? [] : names.split(', ').map((name) => folder + name);
    around.push({ indent: space.length, path: folder + names });
    return [];
  });
}

test('ARCHITECTURE.md draws every file, and no other', () => {
  const drawn = drawnFiles(readFileSync('ARCHITECTURE.md', 'utf8'));

  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith('spec/messages'))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );

  expect(drawn.sort()).toEqual(files.sort());
});
