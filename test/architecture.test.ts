import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Folders of which the tree names every file. */
const folders = ['spec', 'generated', 'src', 'scripts', 'examples'];

/**
 * The paths that the drawn tree of a document stands for: two spaces of indentation a level, folders end in a slash. A
 * folder in which nothing is drawn stands for all that is in it.
 */
function drawnFiles(document: string): string[] {
  const [, tree = ''] = document.match(/^```text\n([\s\S]*?)^```$/m) ?? [];
  const around: { indent: number; path: string }[] = [];
  const paths = tree.split('\n').flatMap((line) => {
    const [, space = '', names = ''] = line.match(/^( *)([^\s,]+(?:, [^\s,]+)*)/) ?? [];
    while ((around.at(-1)?.indent ?? -1) >= space.length) around.pop();
    const folder = around.at(-1)?.path ?? '';
    if (!names.endsWith('/')) return names === '' ? [] : names.split(', ').map((name) => folder + name);
    around.push({ indent: space.length, path: folder + names });
    return [folder + names];
  });
  return paths.filter((path, index) => !path.endsWith('/') || !paths[index + 1]?.startsWith(path));
}

test('ARCHITECTURE.md draws every file, and no other', () => {
  const drawn = drawnFiles(readFileSync('ARCHITECTURE.md', 'utf8'));

  const wholes = drawn.filter((path) => path.endsWith('/'));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('__pycache__'))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  const paths = new Set(files.map((file) => wholes.find((whole) => file.startsWith(whole)) ?? file));

  expect(drawn.sort()).toEqual([...paths].sort());
});
