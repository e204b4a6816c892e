import { createHash, randomUUID } from 'node:crypto';
import { Condition } from '../../core/index.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the key of a session among those of all owners. Ids are visible ASCII, so no id contains the line feed. */
export const sessionKey = (sid: string, owner: string | undefined): string =>
  owner === undefined ? sid : `${sid}\n${owner}`;

/**
 * Returns the session id for author code. Authors can name folders and containers by it, so unlike the id that clients
 * send it is unique among all owners.
 */
export const environmentSessionId = (sid: string, owner: string | undefined): string =>
  owner === undefined ? sid : `${sid}-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;

/** Returns true for ids in the format that this server, or another node, issues. */
export const hasIssuedFormat = (id: string): boolean => UUID.test(id);

/**
 * Creates a session id: a random UUID (version 4), or with a node tag a UUID of version 8, in which the tag is followed by
 * 106 random bits. Source: RFC 9562, sections 5.4 and 5.8.
 */
export function newSessionId(nodeTag: string | undefined): string {
  const id = randomUUID();
  return nodeTag === undefined ? id : `${nodeTag}${id.slice(4, 14)}8${id.slice(15)}`;
}

/**
 * Returns the id of a fork that a client can request repeatedly: the same for the same parent and key. Starts as that of the
 * parent, so that a proxy finds the same node by its tag.
 */
export function forkedSessionId(parent: string, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([parent, key]))
    .digest('hex');
  const tag = hasIssuedFormat(parent) ? parent.slice(0, 4) : digest.slice(28, 32);
  const [b, c, d, e] = [digest.slice(0, 4), digest.slice(4, 8), digest.slice(8, 11), digest.slice(11, 14)];
  return `${tag}${b}-${c}-8${d}-8${e}-${digest.slice(14, 26)}`;
}

/** @throws TypeError for an invalid tag. */
export function assertNodeTag(nodeTag: string | undefined): void {
  if (nodeTag === undefined || /^[0-9a-f]{4}$/.test(nodeTag)) return;
  throw new TypeError(
    `invalid nodeTag: expected four lower-case hex digits, such as '0001', got ${JSON.stringify(nodeTag)}`,
  );
}

/** Time from `/create_session` to `/create` that clients get while the server is draining. */
const MAX_AGE_MS = 5_000;

const MAX_COUNT = 10_000;

/**
 * Recently issued session ids whose episodes have not been created yet. A draining server still accepts these: a proxy
 * that routes by id would never send them to another server.
 */
export class IssuedIds {
  readonly #now: () => number;
  /** Times of issue, oldest first. */
  readonly #issuedAt = new Map<string, number>();
  readonly #changed = new Condition();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(sid: string): void {
    this.#issuedAt.delete(sid);
    this.#issuedAt.set(sid, this.#now());
    if (this.#issuedAt.size <= MAX_COUNT) return;
    const [oldest = ''] = this.#issuedAt.keys();
    this.#issuedAt.delete(oldest);
  }

  has(sid: string): boolean {
    return this.#issuedAt.has(sid);
  }

  /** Removes an id whose episode has been created. */
  markUsed(sid: string): void {
    this.#issuedAt.delete(sid);
    this.#notifyIfEmpty();
  }

  /** Removes ids that were issued too long ago. */
  sweep(): void {
    const since = this.#now() - MAX_AGE_MS;
    for (const [sid, issuedAt] of this.#issuedAt) {
      if (issuedAt > since) break;
      this.#issuedAt.delete(sid);
    }
    this.#notifyIfEmpty();
  }

  clear(): void {
    this.#issuedAt.clear();
    this.#notifyIfEmpty();
  }

  /** Resolves when no id is left. */
  async waitUntilEmpty(): Promise<void> {
    await this.#changed.until(() => this.#issuedAt.size === 0);
  }

  #notifyIfEmpty(): void {
    if (this.#issuedAt.size === 0) this.#changed.notify();
  }
}
