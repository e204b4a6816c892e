/** An address as people may see it: without user, password and query, wherever they stand in a text that may be none. */
export const shownUrl = (url: string | URL): string =>
  String(url)
    .replace(/:\/\/.*@/s, '://')
    .replace(/\?.*$/s, '');
