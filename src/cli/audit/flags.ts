import { type AuditOptions, type AuditReport, countFindings } from '../../audit/index.ts';
import { definedFields } from '../../core/index.ts';
import { collect, defineFlags, type FlagValues, integerParser, orInvalid, parseSeconds } from '../command.ts';
import { trialFlags } from '../remote/flags.ts';

export const DEFAULT_TIMEOUT_SECONDS = 30;

/** Exit codes of commands that audit. */
export const AUDIT_EXIT_CODES = { clean: 0, notRun: 2, proven: 3, interrupted: 130 } as const;

/** Returns the exit code of a report: an exploit counts more than an environment that could not be audited. */
export function auditExitCode(report: AuditReport): number {
  if (report.interrupted) return AUDIT_EXIT_CODES.interrupted;
  const { proofs, failures } = countFindings(report);
  if (proofs > 0) return AUDIT_EXIT_CODES.proven;
  return failures > 0 ? AUDIT_EXIT_CODES.notRun : AUDIT_EXIT_CODES.clean;
}

/** Flag of commands that call tools of environments without a person who looks at each call. */
export const ownerFlag = defineFlags({
  '--i-own-this': 'call tools too whose descriptions say that their effects cannot be undone',
});

/** Flags that set limits of an audit. */
export const auditFlags = defineFlags({
  '--env <name>': { help: 'audit only this environment (repeatable)', parse: collect },
  '--split <name>': 'split to audit (default: the first one that has tasks)',
  '--tasks <number>': {
    help: 'maximum number of tasks that are tried',
    parse: integerParser({ min: 1, max: 100_000 }),
    default: 20,
  },
  '--budget <seconds>': {
    help: 'time for each environment, such as 120s, after which requests are aborted',
    parse: parseBudget,
    default: 120,
  },
  '--max-sessions <number>': {
    help: 'maximum number of sessions per environment',
    parse: integerParser({ min: 1 }),
    default: 5_000,
  },
  '--max-calls <number>': {
    help: 'maximum number of calls per environment',
    parse: integerParser({ min: 1 }),
    default: 100_000,
  },
  ...trialFlags,
  '--attack <id>': { help: 'make only the attacks whose ids begin like this (repeatable)', parse: collect },
  '--seed <number>': {
    help: 'seed of the task sample and of random players',
    parse: integerParser({ max: 0xffff_ffff }),
    default: 1,
  },
  ...ownerFlag,
});

export type AuditFlags = FlagValues<typeof auditFlags>;

/** Parses seconds, with or without the unit. */
function parseBudget(text: string): number {
  const digits = text.replace(/s$/, '');
  return orInvalid(digits === '' ? undefined : parseSeconds(digits), 'a number of seconds');
}

/** Returns the options of an audit that the flags set. */
export const auditOptions = (flags: AuditFlags): AuditOptions => ({
  tasks: flags.tasks,
  budgetMs: flags.budget * 1_000,
  maxSessions: flags.maxSessions,
  maxCalls: flags.maxCalls,
  seed: flags.seed,
  ownsEnvironment: flags.iOwnThis ?? false,
  ...definedFields({
    environments: flags.env,
    split: flags.split,
    maxReward: flags.maxReward,
    secrets: flags.secret,
    attacks: flags.attack,
  }),
});
