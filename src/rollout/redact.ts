/** Shorter values occur by chance, and taking them out would garble what is said. */
const SHORTEST = 6;

/** Takes secrets out of a text, also where they are written as JSON or in a URL. */
export function redact(text: string, secrets: Iterable<string>): string {
  const forms = new Set([...secrets].filter(({ length }) => length >= SHORTEST).flatMap(writings));
  // The longest first: one secret may be the beginning of another.
  const sorted = [...forms].sort((one, other) => other.length - one.length);
  return sorted.reduce((left, form) => left.replaceAll(form, '[secret]'), text);
}

const writings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];
