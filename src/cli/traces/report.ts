import { TraceError } from '../../trace/client/index.ts';
import { TraceStoreError } from '../../trace/model/index.ts';
import { CliError } from '../failure.ts';
import { reportFailure } from '../remote/report-failure.ts';

/**
 * Runs a command to its end; a failure becomes a line, or JSON, and the exit code.
 *
 * @param isServer whether the command goes on when nobody reads its output any more.
 */
export const reportTraceFailure = (json: boolean, work: () => Promise<void>, isServer = false): Promise<void> =>
  reportFailure(json, async () => {
    if (!isServer) process.stdout.on('error', () => process.exit());
    try {
      await work();
    } catch (error) {
      throw asFailure(error);
    }
  });

function asFailure(error: unknown): unknown {
  if (error instanceof TraceStoreError) return new CliError(error.message, { cause: error });
  if (!(error instanceof TraceError)) return error;
  const advice = adviceFor(error);
  return new CliError(advice === undefined ? error.message : `${error.message}; ${advice}`, { cause: error });
}

function adviceFor({ code, status }: TraceError): string | undefined {
  if (code === 'NETWORK') return 'check the address, and that the server runs';
  if (code === 'TRACE_NOT_FOUND') return 'ors traces ls lists those there are, and --org names another organization';
  if (code === 'NOT_FOUND') return 'ors traces stats lists the runs there are';
  if (status === 401) return 'here it is given by --api-key or ORS_TRACES_API_KEY';
  return undefined;
}
