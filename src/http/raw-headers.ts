/**
 * Headers as Node's `rawHeaders`, names and values in turn. To put an object of headers together, and to have Node take it
 * apart again, costs an answer ten times as much.
 */
export function rawHeaders(own: readonly string[], more: Readonly<Record<string, string>>): string[] {
  const raw = [...own];
  for (const name in more) raw.push(name, more[name] as string);
  return raw;
}
