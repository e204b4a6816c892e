import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Removes from the `.d.ts` files of a folder the declarations, imports and files that no entry point of the package
 * reaches: more than half of the declarations are internal. Also removes the methods that paths of a specification lack.
 *
 * @param entries paths of the types of the entry points.
 */
export function pruneTypes(folder, entries) {
  const { modules, used } = findReachable(entries);
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!path.endsWith('.d.ts')) continue;
    const text = modules.has(path) ? textOfUsed(modules.get(path), used) : '';
    if (text === '') rmSync(path);
    else writeFileSync(path, text);
  }
}

/** Returns the modules that the entry points reach, and the used nodes: declarations, specifiers and `export *`. */
function findReachable(entries) {
  const modules = new Map();
  const used = new Set();
  const pending = [];

  const moduleAt = (path) => {
    if (!modules.has(path)) {
      const module = readModule(path);
      modules.set(path, module);
      for (const statement of module.unnamed) use(module, statement);
    }
    return modules.get(path);
  };
  const use = (module, node) => {
    if (used.has(node)) return;
    used.add(node);
    pending.push([module, node]);
  };
  /** Returns whether the module has the export. */
  const useExport = (path, name, seen = new Set()) => {
    if (seen.has(path)) return false;
    seen.add(path);
    const module = moduleAt(path);
    const nodes = module.exports.get(name) ?? module.names.get(name);
    for (const node of nodes ?? []) use(module, node);
    if (nodes) return true;
    const star = module.stars.find((each) => useExport(module.resolve(each.moduleSpecifier), name, seen));
    if (star) used.add(star);
    return star !== undefined;
  };
  const useAll = (path) => {
    const module = moduleAt(path);
    for (const node of [...module.exports.values(), ...module.names.values()].flat()) use(module, node);
    for (const star of module.stars) {
      used.add(star);
      useAll(module.resolve(star.moduleSpecifier));
    }
  };
  const useOf = (path, name) => path && (name === undefined ? useAll(path) : useExport(path, name));

  for (const entry of entries) useAll(entry);
  while (pending.length > 0) {
    const [module, node] = pending.pop();
    const { specifier, name, local = node } = module.targets.get(node) ?? {};
    if (specifier) useOf(module.resolve(specifier), name);
    else {
      visit(local, (each) => {
        if (ts.isIdentifier(each)) for (const own of module.names.get(each.text) ?? []) use(module, own);
        if (!ts.isImportTypeNode(each)) return;
        useOf(module.resolve(each.argument.literal), each.qualifier?.getText().split('.')[0]);
      });
    }
  }
  return { modules, used };
}

function visit(node, visitor) {
  visitor(node);
  ts.forEachChild(node, (child) => visit(child, visitor));
}

function readModule(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const module = {
    source,
    /** Declarations and import specifiers by local name. */
    names: new Map(),
    /** Export specifiers by exported name. */
    exports: new Map(),
    /** Targets of import and export specifiers: an export of another module, or a local name. */
    targets: new Map(),
    /** `export *` of other modules of the package. */
    stars: [],
    /** Statements without a name, such as `declare global`. */
    unnamed: [],
    /** Returns the path of another module; undefined for that of another package. */
    resolve: ({ text }) =>
      text.startsWith('.') ? join(dirname(path), text.replace(/\.(js|ts)$/, '.d.ts')) : undefined,
  };
  const add = (map, name, node) => map.set(name, [...(map.get(name) ?? []), node]);
  for (const statement of source.statements) {
    const { moduleSpecifier: specifier } = statement;
    const specifiers = specifiersOf(statement);
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      for (const node of specifiers) {
        const isWhole = ts.isNamespaceImport(node) || ts.isNamespaceExport(node);
        const local = ts.isImportClause(node) ? undefined : (node.propertyName ?? node.name);
        add(ts.isImportDeclaration(statement) ? module.names : module.exports, node.name.text, node);
        module.targets.set(node, { specifier, local, name: isWhole ? undefined : (local?.text ?? 'default') });
      }
      const isStar = specifiers.length === 0 && !statement.exportClause;
      if (isStar && specifier.text.startsWith('.') && ts.isExportDeclaration(statement)) module.stars.push(statement);
      else if (isStar) module.unnamed.push(statement);
    } else {
      const declared = statement.declarationList?.declarations ?? [statement];
      const names = declared.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
      for (const name of names) add(module.names, name, statement);
      if (names.length === 0) module.unnamed.push(statement);
    }
  }
  return module;
}

/** Returns the nodes of an import or export that introduce a name. */
function specifiersOf({ importClause, exportClause }) {
  const bindings = importClause?.namedBindings ?? exportClause;
  return [...(importClause?.name ? [importClause] : []), ...(bindings?.elements ?? (bindings ? [bindings] : []))];
}

/** Returns the text of a module without what is not used; empty if nothing is. */
function textOfUsed({ source }, used) {
  const texts = source.statements.flatMap((statement) => {
    const specifiers = specifiersOf(statement);
    const kept = specifiers.filter((node) => used.has(node));
    if (kept.length === 0 && !used.has(statement)) return [];
    const text = statement.getFullText();
    // Only packages have default exports, and those are not pruned.
    if (kept.length === specifiers.length || !specifiers.every(isListed)) return [text];
    const list = `{ ${kept.map((node) => node.getText()).join(', ')} }`;
    return [text.replace(specifiers[0].parent.getText(), () => list)];
  });
  if (texts.length === 0) return '';
  const code = texts.join('').replaceAll(MISSING_METHOD, '').trimStart();
  const references = (source.text.match(/^\/\/\/ <reference .*\n/gm) ?? []).filter((line) => !code.includes(line));
  // Without it, everything in a declaration file is exported.
  const marker = source.statements.some(isEmptyExport) ? ['export {};'] : [];
  return [...references, code, ...marker].join('\n').concat('\n');
}

/** A method that a path does not have, as openapi-typescript lists it; openapi-fetch needs only those that it has. */
const MISSING_METHOD = /^ +(?:get|put|post|delete|options|head|patch|trace)\?: never;\n/gm;

const isListed = (node) => ts.isImportSpecifier(node) || ts.isExportSpecifier(node);

const isEmptyExport = ({ exportClause, moduleSpecifier }) => exportClause?.elements?.length === 0 && !moduleSpecifier;
