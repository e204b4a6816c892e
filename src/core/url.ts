/**
 * Removes the parts of a URL that may be secret: user, password, query and fragment. An unescaped password may contain `@`,
 * `/`, `?` and `#`, so in doubt everything up to the last `@` counts as the password.
 */
export function withoutCredentials(url: string | URL): string {
  const text = String(url);
  const plain = /^[^?#]*/.exec(text)?.[0] ?? '';
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && parsed.host !== '') {
    const { protocol, username, password, host, pathname, search, hash } = parsed;
    const hasCredentials = username !== '' || password !== '';
    if (!(hasCredentials ? pathname + search + hash : pathname).includes('@')) {
      return hasCredentials ? `${protocol}//${host}${pathname === '/' ? '' : pathname}` : plain;
    }
  }
  const [, scheme = '', rest] = /^(.*?:\/\/)?.*@([^?#]*)/s.exec(text) ?? [];
  return rest === undefined ? plain : scheme + rest;
}

/** Returns true for the URL of a PostgreSQL database. */
export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text);

/** Returns true if a text begins with `http://` or `https://`. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Returns true if a text begins with a scheme and `//`, such as `postgres://`. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

export const withoutTrailingSlashes = (url: string): string => {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
};

/**
 * Returns the base URL of a server without a trailing slash.
 *
 * @param advice end of error messages, such as an example.
 * @throws TypeError for anything but an http or https URL without credentials, query and fragment.
 */
export function parseBaseUrl(url: string | URL, advice: string): string {
  const shown = withoutCredentials(url);
  if (!URL.canParse(url)) throw new TypeError(`invalid URL '${shown}'; ${advice}`);
  const { protocol, username, password, search, hash, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`invalid URL '${shown}': expected http or https; ${advice}`);
  }
  if (username || password) throw new TypeError(`invalid URL '${shown}': it contains credentials; pass them as apiKey`);
  if (search || hash) throw new TypeError(`invalid URL '${shown}': it has a query or a fragment; ${advice}`);
  return withoutTrailingSlashes(href);
}

/** Decodes percent escapes. Returns undefined if they are malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Formats a host for a URL: IPv6 addresses in brackets. */
export const hostForUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Formats a host for a socket: IPv6 addresses without brackets. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Returns true if a host always means this machine: `localhost`, 127.0.0.0/8 or `::1`. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/i.test(bareHost(host));
