/**
 * Returns a regular expression with the same meaning that is valid in Unicode mode, which JSON Schema requires: many
 * documents have `\-` or `{` where that mode allows neither. Returns undefined if there is none, for example for patterns of
 * other languages.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (isValid(pattern, 'u')) return pattern;
  if (!isValid(pattern, '')) return undefined;
  const tokens = pattern.match(/\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\{\d+(?:,\d*)?\}|./gis) ?? [];
  let inClass = false;
  const rewritten = tokens.map((token, index) => {
    if (token === '[' || token === ']') {
      const isLiteral = token === '[' ? inClass : !inClass;
      inClass = token === '[' || (inClass && token !== ']');
      return isLiteral ? `\\${token}` : token;
    }
    if (/^\\[^\da-z^$\\.*+?()[\]{}|/]$/i.test(token)) return token === '\\-' && inClass ? token : token.slice(1);
    if (!inClass) return token === '{' || token === '}' ? `\\${token}` : token;
    const isBesideClass = [tokens[index - 1], tokens[index + 1]].some((other) => /^\\[dsw]$/i.test(other ?? ''));
    return token === '-' && isBesideClass ? '\\-' : token;
  });
  const unicode = rewritten.join('');
  return isValid(unicode, 'u') ? unicode : undefined;
}

function isValid(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
