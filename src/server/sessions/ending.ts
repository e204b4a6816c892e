import { OrsError } from '../../protocol/index.ts';

/** Why a session is gone: what follows the word session. */
export type Ending = string;

export const DELETED: Ending = 'deleted';
export const EXPIRED: Ending = 'expired: no request came in time';
export const TOO_OLD: Ending = 'expired: it lasted longer than a session may';
export const lost = (reason: string): Ending => `lost: ${reason}`;

export const gone = (ending: Ending): OrsError => new OrsError('gone', `Session ${ending}`);

/** One word of a few: deleted, expired, lost. */
export function kindOf(ending: Ending): string {
  const end = ending.indexOf(':');
  return end === -1 ? ending : ending.slice(0, end);
}
