import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The code after an `@example` of a comment. */
interface Example {
  /** Source file, relative to the root. */
  readonly file: string;
  /** Line before the code, from 1. */
  readonly line: number;
  readonly code: string;
}

/** Declares the values that examples use without declaring them, such as `session`. */
const VALUES = 'test/types/example-values.ts';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Name and source file of each entry of the package. */
const ENTRIES = Object.entries<{ readonly types?: string }>(exports).flatMap(([path, { types }]) =>
  types ? [[path.replace('.', 'ors-kit'), types.replace('./dist/', '').replace('.d.ts', '.ts')] as const] : [],
);

/** Sources of the package, as the compiler reads them. */
export interface Sources {
  readonly examples: readonly Example[];
  readonly options: ts.CompilerOptions;
  readonly program: ts.Program;
}

export function readSources(): Sources {
  const examples = listExamples();
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options: shared } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, process.cwd());
  // As for the documents; names are imported without `type`.
  const options = { ...shared, verbatimModuleSyntax: false, exactOptionalPropertyTypes: false, incremental: false };
  const files = new Set([...ENTRIES.map(([, file]) => file), VALUES, ...examples.map(({ file }) => file)]);
  return { examples, options, program: ts.createProgram([...files], options) };
}

/** Lists the examples in src/, without those in a fence of another language. */
function listExamples(): Example[] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  return names.sort().flatMap((name) => {
    const file = join('src', name);
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^( *)\* @example.*\n((?:\1\*(?: (?!@).*)?\n)+)/gm)].flatMap(
      ({ index, 2: lines = '' }) => {
        const code = lines.replaceAll(/^ *\* ?/gm, '').trimEnd();
        const [, language, fenced] = /^```(\w*)\n([\s\S]*)\n```$/.exec(code) ?? [];
        if (language && language !== 'ts') return [];
        const line = text.slice(0, index).split('\n').length;
        return { file, line: fenced === undefined ? line : line + 1, code: fenced ?? code };
      },
    );
  });
}

/** Lists the declarations of this repository that an entry exports without an example. */
export function listWithoutExample({ program }: Sources): string[] {
  const checker = program.getTypeChecker();
  const declarations = ENTRIES.flatMap(([, file]) => exportsOf(program, file)).map((symbol) =>
    (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol).getDeclarations(),
  );
  const found = declarations.flatMap((own = []) => {
    const [first] = own;
    const file = relative('', first?.getSourceFile().fileName ?? '');
    const hasExample = own.some((each) => ts.getJSDocTags(each).some(({ tagName }) => tagName.text === 'example'));
    if (!first || hasExample || !file.startsWith('src/')) return [];
    return `${file}: ${ts.getNameOfDeclaration(first)?.getText()}`;
  });
  return [...new Set(found)].sort();
}

function exportsOf(program: ts.Program, file: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  return symbol ? checker.getExportsOfModule(symbol) : [];
}

/** Modules in which an example finds names: entries of its folder, its own module, VALUES, other entries. */
function modulesFor(file: string): readonly (readonly [specifier: string, file: string])[] {
  const around = ENTRIES.filter(([, entry]) => file.startsWith(`${dirname(entry)}/`));
  // The entry of the innermost folder first.
  around.sort(([, a], [, b]) => b.length - a.length);
  return [...around, [`../../${file}`, file], [`../../${VALUES}`, VALUES], ...ENTRIES];
}

/**
 * Compiles every example as the body of a function, after imports of the names that it uses.
 *
 * @returns one line per error.
 */
export function compileExamples({ examples, options, program: before }: Sources): string[] {
  const names = new Map<string, ReadonlySet<string>>();
  const isExported = (file: string, name: string) => {
    if (!names.has(file)) names.set(file, new Set(exportsOf(before, file).map((symbol) => symbol.name)));
    return names.get(file)?.has(name);
  };
  const imports = ({ file, code }: Example) =>
    [...new Set(code.match(/[A-Za-z_$][\w$]*/g))].map((name) => {
      const [specifier] = modulesFor(file).find(([, module]) => isExported(module, name)) ?? [];
      return specifier === undefined ? '' : `import { ${name} } from '${specifier}'; `;
    });
  const body = ({ code }: Example) => code.replaceAll(/^export default /gm, 'return ');
  const texts = new Map(
    examples.map((example, index) => [
      join(process.cwd(), `test/types/example-${index}.ts`),
      `${imports(example).join('')}export const example = async () => {\n${body(example)}\n};\n`,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => before.getSourceFile(path) ?? getSourceFile(path, ...rest);
  const program = ts.createProgram([...before.getRootFileNames(), ...texts.keys()], options, host, before);
  return [...texts.keys()].flatMap((path, index) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const { file = '', line = 0 } = examples[index] ?? {};
      const offset = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      return `${file}:${line + offset}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}
