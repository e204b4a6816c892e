import { isRecord } from '../core/index.ts';
import { OrsHttpError, OrsProtocolError } from './errors.ts';
import type { HttpClient } from './http.ts';

/** Which implementation a server is, for diagnosis; the client works with all of them without being told. */
export interface ServerDialect {
  readonly name: 'ors-kit' | 'openreward' | 'ors-sdk' | 'unknown';
  /** As the server tells it; null where it does not. */
  readonly version: string | null;
  /** Whether a client may choose the task_id of a call, so that even a call whose answer never began runs once. */
  readonly takesTaskIds: boolean;
}

const UNKNOWN: ServerDialect = { name: 'unknown', version: null, takesTaskIds: false };

/** Asks a server what it is: by /version, which ors-sdk lacks, and by the title of its OpenAPI document. */
export async function detectServerDialect(http: HttpClient): Promise<ServerDialect> {
  const told = await ask(http, 'version');
  const version = typeof told?.version === 'string' ? told.version : null;
  if (told?.name === 'ors-kit') return { name: 'ors-kit', version, takesTaskIds: true };
  if (told && 'build_sha' in told) return { ...UNKNOWN, name: 'openreward', version };
  const document = await ask(http, 'openapi');
  const isReference = isRecord(document?.info) && document.info.title === 'FastAPI' && describesOrs(document);
  return isReference ? { ...UNKNOWN, name: 'ors-sdk' } : { ...UNKNOWN, version };
}

const describesOrs = ({ paths }: Record<string, unknown>) => isRecord(paths) && '/create_session' in paths;

/** More time is no diagnosis worth, in ms. */
const DETECTION_TIMEOUT_MS = 3_000;

/** What a server answers, or undefined if it does not know the question. */
async function ask(http: HttpClient, operation: 'version' | 'openapi') {
  try {
    const response = await http.json(operation, {}, { retryTimeoutMs: DETECTION_TIMEOUT_MS });
    return isRecord(response) ? response : undefined;
  } catch (error) {
    if (error instanceof OrsHttpError || error instanceof OrsProtocolError) return undefined;
    throw error;
  }
}
