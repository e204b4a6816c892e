/** Formats a host for a URL: IPv6 addresses in brackets. */
export const hostForUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Formats a host for a socket: IPv6 addresses without brackets. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Returns true if a host always means this machine: `localhost`, 127.0.0.0/8 or `::1`. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/i.test(bareHost(host));
