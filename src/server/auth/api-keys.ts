import { createHash, timingSafeEqual } from 'node:crypto';
import { readApiKey } from '../../http/index.ts';
import type { Authenticate } from './authenticate.ts';

interface ApiKey {
  /** Line number, from 1. */
  readonly line: number;
  readonly name: string;
  readonly hash: Buffer;
}

const NAMED_KEY = /^([\w.-]{1,64}):(.*)$/;

/**
 * Authenticates callers by static API keys, one per line: `name:key`, or only a key, which is named after its hash. Empty
 * lines and lines that begin with # are ignored. Keys with the same name belong to the same caller, so a key can be
 * replaced without losing sessions.
 *
 * @param lines the lines, or one text that contains them.
 * @throws TypeError for an empty list, for an invalid key, and for a key that has two names. The message contains the
 * line number, but nothing of the key.
 * @example
 * const server = await serve([environment], { authenticate: apiKeys(['ann:secret-1', 'bob:secret-2']) });
 */
export function apiKeys(lines: string | readonly string[]): Authenticate {
  const keys = (typeof lines === 'string' ? lines.split('\n') : lines).flatMap(readLine);
  if (keys.length === 0) throw new TypeError('no API key found; write one per line, as name:key or only a key');
  checkOwners(keys);
  return (headers) => {
    const received = readApiKey(headers);
    if (received === undefined) return undefined;
    const hash = hashOf(received);
    // Compares all keys, so that the duration reveals nothing about them.
    return keys.reduce<string | undefined>(
      (caller, key) => (timingSafeEqual(key.hash, hash) ? (caller ?? key.name) : caller),
      undefined,
    );
  };
}

function readLine(text: string, index: number): ApiKey[] {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return [];
  const [, name, named] = NAMED_KEY.exec(line) ?? [];
  const key = named ?? line;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(`invalid API key in line ${index + 1}: expected visible ASCII characters without spaces`);
  }
  const hash = hashOf(key);
  return [{ line: index + 1, name: name ?? `key-${hash.toString('hex').slice(0, 12)}`, hash }];
}

/** Rejects keys with two names: the owner of a session would depend on the order of the lines. */
function checkOwners(keys: readonly ApiKey[]): void {
  const owners = new Map<string, ApiKey>();
  for (const key of keys) {
    const id = key.hash.toString('hex');
    const owner = owners.get(id);
    if (owner && owner.name !== key.name) {
      throw new TypeError(
        `line ${key.line} of the API keys has the key of line ${owner.line} under another name; use a different key for each caller`,
      );
    }
    owners.set(id, key);
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
