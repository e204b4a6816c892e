import type { TraceApiRequester } from './api.ts';
import { TraceError } from './trace-error.ts';

/** Deletes a trace; one that is gone already, as after a request whose answer was lost, is fine. */
export async function deleteTrace(api: TraceApiRequester, id: string): Promise<void> {
  try {
    // The answer has no body, and so is no JSON.
    await api.bytes('deleteTrace', { traceId: id });
  } catch (error) {
    if (!(error instanceof TraceError) || error.code !== 'TRACE_DELETED') throw error;
  }
}
