import { parseServerUrl as readServerAddress } from '../remote/connect.ts';
import { usageError } from './usage.ts';

/** Parses the base URL of the server to test. @throws Failure with the exit code of usage errors. */
export const parseTargetUrl = (address: string): URL => new URL(readServerAddress(address, usageError));
