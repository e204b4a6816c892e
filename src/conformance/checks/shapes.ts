/** A value as JSON for a message, cut where it is long. */
export function show(value: unknown, most = 160): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > most ? `${text.slice(0, most)}...` : text;
}
