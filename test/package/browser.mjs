import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';

/** Codes of compiler errors for names that neither the language nor a browser defines. */
const UNKNOWN_NAME = new Set([2304, 2552, 2580, 2591]);

/**
 * Bundles an entry of the package for browsers, and checks that nothing in it needs Node: no built-in module, no
 * package that is made for Node, and no global that browsers lack, unless `typeof` guards it.
 *
 * @param folder where the package is installed.
 * @param esbuild runs esbuild there.
 * @returns its size in kB, minified and zipped.
 */
export async function checkBrowser(folder, esbuild, entry) {
  const name = entry.replace(/\W/g, '-');
  writeFileSync(join(folder, `${name}.entry.js`), `export * from '${entry}';\n`);
  const options = [`${name}.entry.js`, '--bundle', '--format=esm', '--platform=browser', '--log-level=error'];
  await esbuild(...options, `--outfile=${name}.js`, `--metafile=${name}.json`);
  const { inputs } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const forNode = Object.keys(inputs).filter((path) => path.includes('/undici/'));
  assert.deepEqual(forNode, [], `${entry} brings modules for Node into a browser`);
  assert.deepEqual(unguardedNames(join(folder, `${name}.js`)), [], `${entry} uses names that a browser does not have`);
  await esbuild(...options, '--minify', `--outfile=${name}.min.js`);
  return gzipSync(readFileSync(join(folder, `${name}.min.js`))).length / 1000;
}

/** Returns the undeclared names of a file that no `typeof` guards, each with its line. */
function unguardedNames(path) {
  const lib = ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];
  const options = { allowJs: true, checkJs: true, noEmit: true, types: [], lib, target: ts.ScriptTarget.ES2022 };
  const program = ts.createProgram([path], options);
  const file = program.getSourceFile(path);
  return program
    .getSemanticDiagnostics(file)
    .filter(({ code }) => UNKNOWN_NAME.has(code))
    .map(({ start }) => nodeAt(file, start))
    .filter((identifier) => !isGuarded(identifier))
    .map((identifier) => {
      const { line } = file.getLineAndCharacterOfPosition(identifier.getStart());
      return `${identifier.text}: ${file.text.split('\n')[line].trim()}`;
    });
}

function nodeAt(file, position) {
  let found = file;
  const descend = (node) => {
    if (node.getStart(file) > position || node.end <= position) return;
    found = node;
    ts.forEachChild(node, descend);
  };
  descend(file);
  return found;
}

/** Returns true if `typeof` guards the name in the same expression. */
function isGuarded(identifier) {
  let expression = identifier;
  while (ts.isExpression(expression.parent) && !ts.isFunctionLike(expression.parent)) expression = expression.parent;
  return expression.getText().includes(`typeof ${identifier.text}`);
}
