import {
  type ConformanceCheck,
  type ExpectedFailures,
  ExpectedFailuresError,
  matchesName,
  parseExpectedFailures,
  selectChecks,
} from '../../conformance/index.ts';
import { isLoopbackHost, joinWords } from '../../core/index.ts';
import { parseTargetUrl } from './address.ts';
import { parseCheckNames } from './check-names.ts';
import type { ConformanceFlags } from './flags.ts';
import { parseConformanceOptions, readFlagFile } from './read-options.ts';
import { usageError } from './usage.ts';

const EVERY_PROFILE = ['full', 'soak', 'hostile'] as const;

/** What a command line asks for. */
export type ConformanceRequest =
  | { readonly kind: 'list'; readonly checks: readonly ConformanceCheck[] }
  | { readonly kind: 'explain'; readonly checks: readonly ConformanceCheck[] }
  | {
      readonly kind: 'plan' | 'run' | 'explain-on';
      readonly url: URL;
      readonly options: Awaited<ReturnType<typeof parseConformanceOptions>>;
      readonly expectations: ExpectedFailures;
      readonly checks: readonly ConformanceCheck[];
    };

/** Reads and checks a command line before anything is sent. @throws Failure with the exit code of usage errors. */
export async function parseConformanceFlags(
  address: string | undefined,
  flags: ConformanceFlags,
  all: readonly ConformanceCheck[],
): Promise<ConformanceRequest> {
  const read = await parseConformanceOptions(flags, all);
  if (flags.list) {
    // Without a profile, all of them are listed.
    const profiles = flags.profile ? read.profiles : EVERY_PROFILE;
    return { kind: 'list', checks: selectChecks(all, { ...read, ...(profiles && { profiles }) }) };
  }
  const explained = flags.explain === undefined ? undefined : checksNamed(flags.explain, all);
  if (address === undefined) {
    if (explained) return { kind: 'explain', checks: explained };
    throw usageError('the address of a server is missing; write it like: ors conformance http://127.0.0.1:8080');
  }
  const url = parseTargetUrl(address);
  const options = explained ? { ...read, ...onlyThese(explained) } : read;
  const checks = selectChecks(all, options);
  if (checks.length === 0) throw usageError(nothingLeft(flags, all));
  if (checks.some(({ profile }) => profile === 'hostile') && !isLoopbackHost(url.hostname) && !flags.iOwnThis) {
    throw usageError(`the profile hostile attacks ${url.hostname}; if that server is yours, add --i-own-this`);
  }
  const expectations = await readExpectedFailures(flags.expectedFailures);
  const kind = flags.dryRun ? 'plan' : explained ? 'explain-on' : 'run';
  return { kind, url, options, expectations, checks };
}

function checksNamed(name: string, all: readonly ConformanceCheck[]): readonly ConformanceCheck[] {
  const [known = name] = parseCheckNames('--explain', [name], all);
  return selectChecks(all, { profiles: EVERY_PROFILE, only: [known] });
}

const onlyThese = (checks: readonly ConformanceCheck[]) => ({
  profiles: [...new Set(checks.map(({ profile }) => profile))],
  only: checks.map(({ id }) => id),
  skip: [],
});

function nothingLeft(
  { only = [], skip = [], profile = ['core'] }: ConformanceFlags,
  all: readonly ConformanceCheck[],
): string {
  const named = selectChecks(all, { profiles: EVERY_PROFILE, only });
  const left = named.filter((check) => !matchesName(check, skip));
  if (left.length === 0) return `no check is left; --skip ${skip.join(',')} takes out all of --only ${only.join(',')}`;
  const profiles = [...new Set(left.map((check) => check.profile))];
  const asked = only.length > 0 ? `those of --only ${only.join(',')}` : `those of --profile ${profile.join(',')}`;
  if (only.length === 0) return `no check is left; --skip ${skip.join(',')} takes out all ${asked}`;
  return `no check is left; ${asked} are in ${joinWords(profiles)}: add --profile ${profiles.join(',')}`;
}

export async function readExpectedFailures(file: string | undefined): Promise<ExpectedFailures> {
  if (file === undefined) return new Map();
  const text = await readFlagFile(file, '--expected-failures');
  try {
    return parseExpectedFailures(text);
  } catch (error) {
    throw error instanceof ExpectedFailuresError ? usageError(`--expected-failures: ${file}: ${error.message}`) : error;
  }
}
