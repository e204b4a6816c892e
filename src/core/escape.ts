const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot represent, even when escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
const NOT_IN_XML = /[^\x09\x0a\x0d\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for the content of HTML and XML, and for attributes in double quotes. */
export const escapeMarkup = (text: string): string =>
  text.replace(NOT_IN_XML, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Escapes a text for use in a regular expression. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns the escape sequence of the first UTF-16 code unit of a text in JSON and JavaScript, such as `\u00e9`. */
export const unicodeEscape = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Quotes a text as a JavaScript literal in single quotes. */
export const quoteJs = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Characters that have an effect when pasted into a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
const ESCAPED = new RegExp(`[\\\\']|${UNPRINTABLE.source}`, 'g');

/**
 * Quotes one word of a command line for a shell, if it needs quotes. Words with control characters are written as
 * `$'...'`, which bash and zsh read.
 */
export function shellQuote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!UNPRINTABLE.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replace(ESCAPED, octalEscape)}'`;
}

const octalEscape = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** Returns a command line for a shell, in which every word means itself. */
export const shellCommand = (...words: readonly string[]): string => words.map(shellQuote).join(' ');

/** Text that spreadsheets treat as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Formats a row as RFC 4180 CSV. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvRow = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Terminal escape sequences: with parameters, strings up to their terminator, and of two characters. */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
/** Control characters except tab and line feed, and characters that change the text direction. */
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes escape sequences, control characters and changes of the text direction, which affect a terminal or a page. Keeps
 * tabs, and converts line ends to line feeds.
 */
export const stripControls = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** Joins the lines of a text, without control characters. */
export const oneLine = (text: string): string => stripControls(text).replace(/\s+/g, ' ').trim();
