import { isRecord, tryParseJson } from '../../core/index.ts';
import { OrsError } from '../../protocol/index.ts';

/**
 * The secrets of an episode: those of the body, and those of the `X-Secrets` header, base64 of `{name: {"value": ...}}`,
 * that the body does not name; undefined if there are none. Messages never hold any of it.
 *
 * @throws OrsError bad_request for a header of another form.
 */
export function readSecrets(
  body: Readonly<Record<string, string>> | null | undefined,
  header: string | undefined,
): Readonly<Record<string, string>> | undefined {
  return header || body ? { ...(header && decode(header)), ...body } : undefined;
}

function decode(header: string): Record<string, string> {
  const entries = tryParseJson(Buffer.from(header, 'base64').toString('utf8'));
  if (!isRecord(entries)) throw malformed();
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      const value = isRecord(entry) ? entry.value : entry;
      if (typeof value !== 'string') throw malformed();
      return [name, value];
    }),
  );
}

const malformed = () =>
  new OrsError('bad_request', 'X-Secrets header must be base64 of a JSON object from name to {"value": string}');
