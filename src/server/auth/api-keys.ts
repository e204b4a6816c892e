import { createHash, timingSafeEqual } from 'node:crypto';
import { givenKey } from '../../http/index.ts';
import type { Authenticate } from './authenticate.ts';

interface ApiKey {
  /** Of its line, from 1. */
  readonly line: number;
  readonly name: string;
  readonly hash: Buffer;
}

const NAMED = /^([\w.-]{1,64}):(.*)$/;

/**
 * Knows static API keys, one on each line: `name:key`, or a key alone, which is named after its hash. Empty lines and
 * those that begin with # are nothing. Several keys may have one name, and are the same caller: so keys are changed
 * without losing sessions.
 *
 * @throws TypeError for a line that is no key, or has the key of another line under another name, naming its number and
 * nothing of it; or if there is no key.
 */
export function apiKeys(lines: string | readonly string[]): Authenticate {
  const keys = (typeof lines === 'string' ? lines.split('\n') : lines).flatMap(readLine);
  if (keys.length === 0) throw new TypeError('there is no API key; write one on each line, as name:key or alone');
  checkOwners(keys);
  return (headers) => {
    const given = givenKey(headers);
    if (given === undefined) return undefined;
    const hash = hashOf(given);
    // All are compared, so that the time says nothing of them.
    return keys.reduce<string | undefined>(
      (caller, key) => (timingSafeEqual(key.hash, hash) ? (caller ?? key.name) : caller),
      undefined,
    );
  };
}

function readLine(text: string, index: number): ApiKey[] {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return [];
  const [, name, named] = NAMED.exec(line) ?? [];
  const key = named ?? line;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(`line ${index + 1} of the API keys is no key: it must be visible ASCII without spaces`);
  }
  const hash = hashOf(key);
  return [{ line: index + 1, name: name ?? `key-${hash.toString('hex').slice(0, 12)}`, hash }];
}

/** Whose a session is would depend on the order of the lines. */
function checkOwners(keys: readonly ApiKey[]): void {
  const owners = new Map<string, ApiKey>();
  for (const key of keys) {
    const id = key.hash.toString('hex');
    const owner = owners.get(id);
    if (owner && owner.name !== key.name) {
      throw new TypeError(
        `line ${key.line} of the API keys has the key of line ${owner.line} under another name; give each caller a key of its own`,
      );
    }
    owners.set(id, key);
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
