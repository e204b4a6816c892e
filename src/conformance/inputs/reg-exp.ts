/** A pattern as JSON Schema reads it; one that is none with the flag `u` is read without. Throws where it is none at all. */
export function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

export const matches = (pattern: string, text: string): boolean => regExp(pattern).test(text);
