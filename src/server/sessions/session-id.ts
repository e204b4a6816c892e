import { createHash, randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Identifies a session among those of all owners. Ids are visible ASCII, so no id contains the line feed. */
export const sessionKey = (sid: string, owner: string | undefined): string =>
  owner === undefined ? sid : `${sid}\n${owner}`;

/**
 * Returns the id that environments see. They may name folders and containers by it, so unlike the id that clients send it
 * is unique among all owners.
 */
export const environmentSessionId = (sid: string, owner: string | undefined): string =>
  owner === undefined ? sid : `${sid}-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;

/** Whether an id has the form of those that are issued here or on another node. */
export const hasIssuedFormat = (id: string): boolean => UUID.test(id);

/**
 * A new session id: a random UUID (version 4), or with a node's tag one of version 8, whose first 16 bits are the tag
 * and 106 are random. Source: RFC 9562, sections 5.4 and 5.8.
 */
export function newSessionId(nodeTag: string | undefined): string {
  const id = randomUUID();
  return nodeTag === undefined ? id : `${nodeTag}${id.slice(4, 14)}8${id.slice(15)}`;
}

/** @throws TypeError for a tag that is no four lower-case hex digits. */
export function assertNodeTag(nodeTag: string | undefined): void {
  if (nodeTag === undefined || /^[0-9a-f]{4}$/.test(nodeTag)) return;
  throw new TypeError(`nodeTag is ${JSON.stringify(nodeTag)}; it must be four lower-case hex digits, such as '0001'`);
}
