import type { StyledSegment } from '../parts/text-segments.ts';

interface Language {
  /** One expression with a group per scope. Each alternative consumes what it scans, so that matching stays linear. */
  readonly pattern: RegExp;
  readonly keywords?: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const LITERALS = words('true false null undefined None True False nil NaN Infinity NULL');

const QUOTED = String.raw`"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?`;
const NUMBER = String.raw`(?<number>\b\d[\w.]*)`;
const WORD = String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*)`;
const SLASHES = String.raw`(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$(?![^])))`;
const HASH = String.raw`(?<comment>#[^\n]*)`;
const pattern = (...parts: readonly string[]) => new RegExp(parts.join('|'), 'gmu');

const JAVASCRIPT: Language = {
  pattern: pattern(
    SLASHES,
    `(?<string>${QUOTED}|${'`(?:[^`\\\\]|\\\\[^])*`?'})`,
    String.raw`(?<meta>@\w+)`,
    NUMBER,
    WORD,
  ),
  keywords: words(
    'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in instanceof interface let namespace new of private protected public readonly return satisfies set static super switch this throw try type typeof var void while with yield',
  ),
};
const C_LIKE: Language = {
  pattern: pattern(SLASHES, `(?<string>${QUOTED})`, String.raw`(?<meta>^[ \t]*#\w+|@\w+)`, NUMBER, WORD),
  keywords: words(
    'auto bool boolean break byte case catch char class const continue default defer do double else enum extends extern final float fn for func go goto if impl import in inline int interface let long loop match mod mut namespace new package private protected pub public return self short signed sizeof static string struct super switch template this throw throws trait try type typedef union unsafe unsigned use using var virtual void volatile where while',
  ),
};
const PYTHON: Language = {
  pattern: pattern(
    HASH,
    String.raw`(?<string>\b[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|${QUOTED})|"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|${QUOTED})`,
    String.raw`(?<meta>^[ \t]*@[\w.]+)`,
    NUMBER,
    WORD,
  ),
  keywords: words(
    'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
};
const BASH: Language = {
  pattern: pattern(
    String.raw`(?<comment>(?<![^\s;(])#[^\n]*)`,
    String.raw`(?<string>"(?:[^"\\]|\\[^])*"?|'[^']*'?)`,
    String.raw`(?<name>\$(?:\w+|\{[^}\n]*\}?|[@#?$!*-]))`,
    String.raw`(?<meta>(?<=\s)--?[A-Za-z][\w-]*)`,
    NUMBER,
    WORD,
  ),
  keywords: words(
    'case cd do done echo elif else esac exit export fi for function if in local return set source sudo then unset until while',
  ),
};
const SQL: Language = {
  pattern: pattern(String.raw`(?<comment>--[^\n]*)`, `(?<string>${QUOTED})`, NUMBER, WORD),
  keywords: words(
    'all and as asc between by case create delete desc distinct drop else end exists from full group having in inner insert into is join left like limit not null offset on or order outer over partition primary right select set table then union update using values view when where with',
  ),
};
const JSON_LIKE: Language = {
  pattern: pattern(
    String.raw`(?<key>"(?:[^"\\\n]|\\[^])*"(?=\s{0,20}:))`,
    `(?<string>"(?:[^"\\\\\\n]|\\\\[^])*"?)`,
    String.raw`(?<number>-?\b\d[\w.+-]*)`,
    WORD,
  ),
};
const YAML: Language = {
  pattern: pattern(
    String.raw`(?<comment>(?<!\S)#[^\n]*)`,
    String.raw`(?<key>^[ \t]*(?:- +)?[\w./-]+(?=:(?:\s|$)))`,
    `(?<string>(?<![^\\s:[{,-])(?:${QUOTED}))`,
    String.raw`(?<meta>^(?:---|\.\.\.)$|[&*!][\w-]+)`,
    NUMBER,
    WORD,
  ),
};
const XML: Language = {
  pattern: pattern(
    `(?<comment><!--[^]*?(?:-->|$(?![^])))`,
    `(?<meta><[!?][^<>]*>?)`,
    String.raw`(?<keyword><\/?[\w:.-]+|\/?>)`,
    String.raw`(?<key>[\w:-]+(?==["']))`,
    `(?<string>(?<==)(?:${QUOTED}))`,
    String.raw`(?<name>&[\w#]+;)`,
    String.raw`(?<skip>[\w:-]+)`,
  ),
};
const DIFF: Language = {
  pattern: pattern(
    String.raw`(?<meta>^(?:@@|diff |index |---|\+\+\+)[^\n]*)`,
    String.raw`(?<added>^\+[^\n]*)`,
    String.raw`(?<removed>^-[^\n]*)`,
  ),
};

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...named('javascript js jsx mjs cjs typescript ts tsx mts', JAVASCRIPT),
  ...named('c cpp c++ cs csharp go golang java kotlin rust rs swift scala dart php h hpp cc', C_LIKE),
  ...named('python py python3 ipython', PYTHON),
  ...named('bash sh shell zsh console dockerfile makefile', BASH),
  ...named('sql sqlite postgres postgresql', SQL),
  ...named('json jsonl json5 jsonc', JSON_LIKE),
  ...named('yaml yml toml ini', YAML),
  ...named('xml html svg vue htm', XML),
  ...named('diff patch', DIFF),
};

function named(names: string, language: Language): Readonly<Record<string, Language>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, language]));
}

interface CodeSegment extends StyledSegment {
  /** Name of a group in the pattern, or `literal`, `keyword` or `name` for words. */
  readonly style?: string;
}

/** Splits code into highlighted segments; joined, they are the code. An unknown language gives one segment. */
export function codeSegments(code: string, language: string): readonly CodeSegment[] {
  const found = Object.hasOwn(LANGUAGES, language.toLowerCase()) ? LANGUAGES[language.toLowerCase()] : undefined;
  if (!found) return [{ text: code }];
  const segments: CodeSegment[] = [];
  let from = 0;
  for (const match of code.matchAll(found.pattern)) {
    const scope = scopeOf(match, code, found);
    if (!scope) continue;
    if (match.index > from) segments.push({ text: code.slice(from, match.index) });
    from = match.index + match[0].length;
    segments.push({ text: match[0], style: scope });
  }
  if (from < code.length || segments.length === 0) segments.push({ text: code.slice(from) });
  return segments;
}

function scopeOf(match: RegExpMatchArray, code: string, { keywords }: Language): string | undefined {
  const groups = match.groups ?? {};
  const { word } = groups;
  if (word === undefined) {
    const scope = Object.keys(groups).find((name) => groups[name] !== undefined);
    return scope === 'skip' ? undefined : scope;
  }
  if (LITERALS.has(word)) return 'literal';
  if (keywords?.has(word) || keywords?.has(word.toLowerCase())) return 'keyword';
  return code[(match.index ?? 0) + word.length] === '(' ? 'name' : undefined;
}
