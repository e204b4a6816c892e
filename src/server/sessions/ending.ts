import { OrsError } from '../../protocol/index.ts';

/** Why a session is gone: what follows the word session. */
export type SessionEndReason = string;

export const END_DELETED: SessionEndReason = 'deleted';
export const END_IDLE: SessionEndReason = 'expired: no request came in time';
export const END_MAX_LIFETIME: SessionEndReason = 'expired: it lasted longer than a session may';
export const lostReason = (reason: string): SessionEndReason => `lost: ${reason}`;

export const sessionGoneError = (ending: SessionEndReason): OrsError => new OrsError('gone', `Session ${ending}`);

/** One word of a few: deleted, expired, lost. */
export function endReasonKind(ending: SessionEndReason): string {
  const end = ending.indexOf(':');
  return end === -1 ? ending : ending.slice(0, end);
}
