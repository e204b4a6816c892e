/** Parses a pattern with the flag `u`, or without it if that fails. @throws SyntaxError if both fail */
export function parsePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

export function isPattern(text: string): boolean {
  try {
    return Boolean(parsePattern(text));
  } catch {
    return false;
  }
}

export const matches = (pattern: string, text: string): boolean => parsePattern(pattern).test(text);
