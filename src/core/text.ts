/** Cuts a text to at most `max` UTF-16 code units, but not within a surrogate pair. */
export function wellFormedPrefix(text: string, max: number): string {
  if (text.length <= max) return text;
  const isSplit = isSurrogate(text.charCodeAt(max - 1), 0xd800) && isSurrogate(text.charCodeAt(max), 0xdc00);
  return text.slice(0, isSplit ? max - 1 : max);
}

/** Returns true if a code unit is one of the 1,024 surrogates that start at `first`. */
const isSurrogate = (unit: number, first: number): boolean => unit >= first && unit < first + 0x400;

/**
 * Cuts a text to at most `max` UTF-16 code units, with an ellipsis, by which `createRedactor` recognizes cut secrets.
 */
export const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${wellFormedPrefix(text, Math.max(0, max - 1))}…`;

/** Removes the byte order mark with which some editors and shells begin a file of UTF-8. JSON parsers reject it. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** White space of Python that JavaScript does not have. */
const PYTHON_SPACE = '\u001c\u001d\u001e\u001f\u0085';

const isPythonSpace = (character: string): boolean =>
  PYTHON_SPACE.includes(character) || (character !== '\ufeff' && character.trim() === '');

/** Removes white space at both ends like `str.strip` of Python, which differs from `trim` in a few characters. */
export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPythonSpace(text.charAt(start))) start++;
  while (end > start && isPythonSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
