/** Parts of a pattern: escapes, the start of a group or class, other characters. */
const TOKEN =
  /\\(?:c[A-Za-z]|x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|[pP]\{[^}]*\}|.)|\(\?<?[=!:]|\(\?|\[\^?|./gsu;

/** Escapes that match the same characters in both cases. */
const CASELESS_ESCAPE = /^\\(?:[^\w]|[dDwWsSbBfnrtv0])$/;

/**
 * Returns a pattern that matches without flags the same texts as a regular expression with its flags, because JSON Schema
 * has no flags. Letters beyond ASCII match in both cases too, but not the few that have a third form.
 *
 * @throws TypeError if there is no such pattern, or only a complicated one.
 */
export function patternWithoutFlags({ source, flags }: RegExp): string {
  if (/[my]/.test(flags)) throw flagError(source, flags);
  const ignoresCase = flags.includes('i');
  const dotMatchesAll = flags.includes('s');
  if (!ignoresCase && !dotMatchesAll) return source;

  const tokens = source.match(TOKEN) ?? [];
  let inClass = false;
  return tokens
    .map((token, index) => {
      if (!inClass && token === '.') return dotMatchesAll ? '[\\s\\S]' : token;
      if (token === '[' || token === '[^') {
        if (inClass) return token;
        inClass = true;
        return token;
      }
      if (token === ']') inClass = false;
      if (!ignoresCase) return token;
      if (token === '(?' || (token.startsWith('\\') && !CASELESS_ESCAPE.test(token))) throw flagError(source, flags);
      if (!inClass) return bothCases(token) === token ? token : `[${bothCases(token)}]`;
      const isRangeEnd = tokens[index - 1] === '-' && tokens[index - 2] !== '[' && tokens[index - 2] !== '[^';
      if (!isRangeEnd) return tokens[index + 1] === '-' && tokens[index + 2] !== ']' ? token : bothCases(token);
      return token + otherCases(tokens[index - 2] ?? '', token, () => flagError(source, flags));
    })
    .join('');
}

const flagError = (source: string, flags: string): TypeError =>
  new TypeError(
    `the pattern /${source}/${flags} cannot be shown to models, because JSON Schema has no flags; write it without flags`,
  );

/** Returns a letter with its other case, if it has one: `aA`. Returns any other token unchanged. */
function bothCases(character: string): string {
  if (!/^\p{L}$/u.test(character)) return character;
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...cases].filter((each) => each.length === character.length).join('');
}

/** Returns what a range of a class also matches in the other case: `A-F` for `a` to `f`. */
function otherCases(first: string, last: string, error: () => TypeError): string {
  if (!/^[\x20-\x7e]$/.test(first) || !/^[\x20-\x7e]$/.test(last)) throw error();
  return ['az', 'AZ']
    .map(([from = '', to = '']) => {
      const [low, high] = [first > from ? first : from, last < to ? last : to];
      if (low > high) return '';
      const [start, end] =
        from === 'a' ? [low.toUpperCase(), high.toUpperCase()] : [low.toLowerCase(), high.toLowerCase()];
      return start === end ? start : `${start}-${end}`;
    })
    .join('');
}
