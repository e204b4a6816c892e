import { isRecord } from '../core/index.ts';
import { toBase64 } from '../protocol/index.ts';

/** Encodes secrets as the Python clients do: base64 of `{"NAME": {"value": "..."}}`. */
export function secretsHeader(secrets: Readonly<Record<string, string>>): string {
  const entries = Object.entries(secrets).map(([name, value]) => [name, { value }]);
  return toBase64(new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries))));
}

/** @throws TypeError that names the secret but not its value. */
export function assertSecrets(secrets: unknown): void {
  if (!isRecord(secrets)) throw new TypeError("invalid secrets: expected an object, such as { NAME: 'value' }");
  for (const [name, value] of Object.entries(secrets)) {
    if (typeof value !== 'string') throw new TypeError(`invalid secret '${name}': expected a string`);
  }
}
