import { readAddress as readServerAddress } from '../remote/connect.ts';
import { usage } from './usage.ts';

/** Parses the base URL of the server to test. @throws Failure with the exit code of usage errors. */
export const readAddress = (address: string): URL => new URL(readServerAddress(address, usage));
