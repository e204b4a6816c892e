import { validateHeaderValue } from 'node:http';
import { createSecureContext } from 'node:tls';
import {
  type ConformanceOptions,
  type HttpHeader,
  PROFILE_INCLUDES,
  type Profile,
  type ServerTimes,
} from '../../conformance/index.ts';
import { errorMessage } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { readTextFile } from '../read-text-file.ts';
import { readHeader } from '../remote/connection-options.ts';
import { readJsonObject } from '../remote/json-argument.ts';
import { unknownName } from '../remote/names.ts';
import { type NamedCheck, parseCheckNames } from './check-names.ts';
import type { ConformanceFlags } from './flags.ts';
import { usageError } from './usage.ts';

/** What the flags say of the run, in the words of the suite. @throws Failure with the exit code of usage errors. */
export async function parseConformanceOptions(
  flags: ConformanceFlags,
  checks: readonly NamedCheck[],
): Promise<Omit<ConformanceOptions, 'signal'>> {
  const { env, only, skip, tool, skipTool, maxCalls, maxSeconds, timeout, seed, concurrency } = flags;
  const profiles = readProfiles(flags.profile ?? ['core']);
  return {
    profiles,
    ...(env !== undefined && { environment: env }),
    ...(only && { only: parseCheckNames('--only', only, checks) }),
    ...(skip && { skip: parseCheckNames('--skip', skip, checks) }),
    ...(tool && { tools: tool }),
    ...(skipTool && { skipTools: skipTool }),
    noToolCalls: !flags.toolCalls,
    inputs: await readInputs(flags.input ?? []),
    ...(flags.secrets !== undefined && { secrets: await readSecrets(flags.secrets) }),
    ...(maxCalls !== undefined && { maxCalls }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(seed !== undefined && { seed }),
    ...(concurrency !== undefined && { concurrency }),
    times: readTimes(flags),
    headers: readHeaders(flags),
    tls: await readTls(flags),
  };
}

function readProfiles(names: readonly string[]): Profile[] {
  const there = Object.keys(PROFILE_INCLUDES);
  for (const name of names) if (!there.includes(name)) throw usageError(unknownName('profile', name, there));
  // Each of them is a key of INCLUDES, which are the profiles.
  return [...new Set(names)] as Profile[];
}

const readTimes = ({ sessionTimeout, resultLinger, heartbeat }: ConformanceFlags): Partial<ServerTimes> => ({
  ...(sessionTimeout !== undefined && { idleMs: sessionTimeout * 1_000 }),
  ...(resultLinger !== undefined && { lingerMs: resultLinger * 1_000 }),
  ...(heartbeat !== undefined && { heartbeatMs: heartbeat * 1_000 }),
});

function readHeaders({ header = [], apiKey }: ConformanceFlags): HttpHeader[] {
  const read = () => header.flatMap((line) => Object.entries(readHeader(line)));
  if (apiKey !== undefined && !isHeaderValue(apiKey)) {
    throw usageError(
      '--api-key, or ORS_API_KEY, has characters that no header can have, such as a line break; check the key',
    );
  }
  return [...(apiKey === undefined ? [] : [['X-API-Key', apiKey] as const]), ...asUsage(read)];
}

function isHeaderValue(value: string): boolean {
  try {
    validateHeaderValue('X-API-Key', value);
    return true;
  } catch {
    return false;
  }
}

async function readInputs(inputs: readonly string[]): Promise<Record<string, Record<string, unknown>>> {
  const pairs = inputs.map(async (argument) => {
    const at = argument.indexOf('=');
    if (at < 1)
      throw usageError(`--input ${argument} names no tool; write --input tool='{"answer": "42"}' or tool=@file`);
    const tool = argument.slice(0, at);
    const read = readJsonObject(argument.slice(at + 1), `--input ${tool}`);
    return [tool, await read.catch((error: Error) => Promise.reject(usageError(error.message)))] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** No error repeats what is in the file, nor what stands in its place. */
async function readSecrets(argument: string): Promise<Record<string, string>> {
  if (!argument.startsWith('@')) {
    throw usageError('--secrets takes a file, so that no secret is in a shell history; write --secrets @secrets.json');
  }
  const file = argument.slice(1);
  const text = await readFlagFile(file, '--secrets');
  const wrong = usageError(`--secrets: '${file}' must hold a JSON object of strings, such as {"API_KEY": "..."}`);
  try {
    const secrets: unknown = JSON.parse(text);
    if (isTable(secrets)) return secrets;
  } catch {
    throw wrong;
  }
  throw wrong;
}

const isTable = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'string');

async function readTls({ ca, cert, key, insecure }: ConformanceFlags): Promise<NonNullable<ConformanceOptions['tls']>> {
  if ((cert === undefined) !== (key === undefined)) throw usageError('--cert and --key belong together; give both');
  const pem = {
    ...(ca !== undefined && { ca: await readPem(ca, '--ca') }),
    ...(cert !== undefined && { cert: await readPem(cert, '--cert') }),
    ...(key !== undefined && { key: await readPem(key, '--key') }),
  };
  try {
    createSecureContext(pem);
  } catch (error) {
    throw usageError(`--ca, --cert or --key cannot be used: ${errorMessage(error)}`);
  }
  return { ...pem, ...(insecure && { rejectUnauthorized: false }) };
}

async function readPem(file: string, option: string): Promise<string> {
  const text = await readFlagFile(file, option);
  if (text.includes('-----BEGIN ')) return text;
  throw usageError(`${option}: the file '${file}' is no PEM file; it has no line -----BEGIN`);
}

/** Reads the file that an option names. @throws Failure with the exit code of usage errors. */
export const readFlagFile = (file: string, option: string): Promise<string> => readTextFile(file, option, usageError);

function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CliError ? usageError(error.message) : error;
  }
}
