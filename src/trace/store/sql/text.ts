/**
 * Databases keep neither halves of surrogate pairs nor, some of them, NUL. A text with one is stored as JSON text, which
 * begins with a quote, and so is every text that begins with one.
 */
export const encodeStoredText = (text: string): string =>
  text.startsWith('"') || text.includes('\0') || !text.isWellFormed() ? JSON.stringify(text) : text;

export const encodeStoredTextOrNull = (text: string | null): string | null =>
  text === null ? null : encodeStoredText(text);

export const decodeStoredText = (stored: string): string =>
  stored.startsWith('"') ? String(JSON.parse(stored)) : stored;

export const decodeStoredTextOrNull = (stored: string | null): string | null =>
  stored === null ? null : decodeStoredText(stored);
