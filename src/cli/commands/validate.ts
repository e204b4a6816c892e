import { type AuditReport, audit } from '../../audit/index.ts';
import { definedFields, groupBy, oneLine, plural, stripControls, unknownName } from '../../core/index.ts';
import {
  type FindingLevel,
  loadTarget,
  type ValidatedEnvironmentReport,
  type ValidationFinding,
  type ValidationReport,
  type ValidationRule,
  validate,
  validationRules,
} from '../../validate/index.ts';
import { auditExitCode } from '../audit/flags.ts';
import { showAudit } from '../audit/show-audit.ts';
import { collect, defineCommand, type FlagValues, integerParser } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags, trialFlags } from '../remote/flags.ts';
import { guardedReporter } from '../report-failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { duration, openTerminal, padAll, safeJson, type Terminal, wrapText } from '../terminal/terminal.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import { guardAgainstBlocking, openSubject } from '../validate/open-subject.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;
const EXIT_CODES = { clean: 0, found: 1, notRun: 2, interrupted: 130 } as const;

const flags = {
  '--tasks <number>': {
    help: 'maximum number of tasks played per split',
    parse: integerParser({ min: 1, max: 1_000_000 }),
    default: 5,
  },
  '--split <name>': { help: 'play only this split (repeatable)', parse: collect },
  '--env <name>': { help: 'validate only this environment (repeatable)', parse: collect },
  '--seed <number>': {
    help: 'seed of the task sample and of random inputs',
    parse: integerParser({ max: 0xffff_ffff }),
    default: 1,
  },
  ...trialFlags,
  '--ignore <rule>': { help: 'skip this rule (repeatable)', parse: collect },
  '--audit': 'also look for exploits, as ors audit does',
  '--strict': 'exit with 1 for warnings too',
  '--json': 'print one JSON document',
  '--list': 'list the rules and exit',
  '--explain <rule>': 'explain a rule and exit',
  ...pagerFlags,
  ...connectionFlags,
} as const;

type ValidateFlags = FlagValues<typeof flags>;

export const validateCommand = defineCommand({
  name: 'validate',
  usage: '<module or url> [options]',
  arguments: [['[module or url]', 'a .ts, .js or .mjs file that exports environments, or the URL of a server']],
  flags,
  details: `Plays some tasks of every split: with the environment's own solve, doing nothing, at random and with invalid inputs, each
twice if the result must be the same. No model is needed. For a URL, the rules that need the environment's code are
skipped: solve, hidden values, cleanup. Without --timeout, a response may take ${DEFAULT_TIMEOUT_SECONDS} s.`,
  exitCodes: {
    0: 'no errors',
    1: 'an error was found, or with --strict a warning',
    2: 'the environment could not be validated',
    3: 'with --audit, an exploit was proven',
    130: 'interrupted',
    137: "the environment's code blocked the process, which was killed",
  },
  examples: [
    'ors validate environment.ts',
    'ors validate environment.ts --split train --tasks 50 --strict',
    'ors validate environment.ts --secret OPENAI_API_KEY --json > findings.json',
    'ors validate http://127.0.0.1:8080 --env gsm8k --max-reward 1',
    'ors validate --explain solve-reaches-max',
  ],
  // The default, 1, would mean that the environment has an error.
  failureExitCode: EXIT_CODES.notRun,
  report: guardedReporter(
    (code) =>
      `the environment's code ended the process (exit code ${code}), or waits for something that never happens; nothing was validated`,
  ),
  async run(subject, options) {
    if (options.list || options.explain !== undefined) {
      await using pager = await openPager(options);
      return pager.print(showRules(options, pager));
    }
    if (subject === undefined) {
      throw new CliError('name a module or the URL of a server; for example: ors validate environment.ts');
    }
    const { report, audited } = await validateSubject(subject, options);
    const { interrupted, findings, ...rest } = report;
    const terminal = openTerminal();
    const text = options.json
      ? `${safeJson({ counts: countByLevel(findings), interrupted, ...rest, findings, ...definedFields({ audit: audited }) })}\n`
      : `${showFindings(report, terminal)}${audited ? showAudit(audited, terminal) : ''}`;
    process.stdout.write(text);
    // Exploits and interrupts count more than errors, and these more than an environment that could not be audited.
    const ofAudit = audited ? auditExitCode(audited) : EXIT_CODES.clean;
    const ofRules = exitCodeOf(report, options);
    process.exitCode = ofAudit > EXIT_CODES.notRun || ofRules === EXIT_CODES.clean ? ofAudit : ofRules;
  },
});

async function validateSubject(
  subject: string,
  options: ValidateFlags,
): Promise<{ readonly report: ValidationReport; readonly audited?: AuditReport }> {
  using interrupts = listenForInterrupts();
  using _quiet = redirectStdout();
  using progress = createProgressBar(countUnit('task'));
  const { timeout = DEFAULT_TIMEOUT_SECONDS, tasks, seed, env, split, maxReward, secret, ignore } = options;
  using _guard = guardAgainstBlocking(timeout);
  await using opened = await openSubject(subject, options, timeout, interrupts.signal, loadTarget);
  const { signal } = interrupts;
  const shared = { seed, timeoutMs: timeout * 1_000, signal };
  const known = definedFields({ environments: env, maxReward, secrets: secret });
  const report = await validate(opened.target, {
    ...shared,
    ...known,
    tasks,
    onProgress: (done, all) => progress.show(done, all),
    ...definedFields({ splits: split, ignore }),
  });
  if (!options.audit || report.interrupted) return { report };
  return {
    report,
    audited: await audit(opened.target, { ...shared, ...known, ...definedFields({ split: split?.[0] }) }),
  };
}

function exitCodeOf({ findings, interrupted }: ValidationReport, { strict }: ValidateFlags): number {
  if (interrupted) return EXIT_CODES.interrupted;
  const { error, warning } = countByLevel(findings);
  return error > 0 || (strict && warning > 0) ? EXIT_CODES.found : EXIT_CODES.clean;
}

const LEVELS = ['error', 'warning', 'note'] as const satisfies readonly FindingLevel[];
const SIGNS = { error: '✗', warning: '!', note: '-' } as const;
const STYLES = { error: 'red', warning: 'yellow', note: 'dim' } as const;
/** Maximum number of examples per rule and environment; further ones are counted. */
const MAX_EXAMPLES = 3;

/** Counts the findings per level. */
function countByLevel(findings: readonly ValidationFinding[]): Readonly<Record<FindingLevel, number>> {
  const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
  return { error: count('error'), warning: count('warning'), note: count('note') };
}

/** Formats each environment with its findings by rule, and a summary. */
function showFindings(validation: ValidationReport, terminal: Terminal): string {
  const { environments, findings } = validation;
  const parts = environments.map((environment) => {
    const { name, splits } = environment;
    const own = findings.filter(({ environment }) => environment === name);
    const played = Object.entries(splits).map(([split, tasks]) => `${oneLine(split)} ${tasks}`);
    const head = `${terminal.style('bold', oneLine(name))}  ${countsText(own, terminal)}\n`;
    const tasks = terminal.style('dim', wrapText(`tasks played: ${played.join(', ') || 'none'}`, terminal.width, '  '));
    const levels = LEVELS.map((level) => formatLevel(own, level, terminal)).join('');
    return `\n${head}${tasks}\n${levels}${validation.interrupted ? '' : formatHeld(environment, terminal)}`;
  });
  return `${parts.join('')}\n${ending(validation, terminal)}`;
}

/** Formats the rules that held, and those that were not tested by reason. */
function formatHeld({ held, untested }: ValidatedEnvironmentReport, terminal: Terminal): string {
  const names = wrapText(held.join(', '), terminal.width, '    ');
  const reasons = Array.from(
    groupBy(untested, ({ reason }) => reason),
    ([reason, rules]) =>
      wrapText(`- not tested because ${reason}: ${rules.map(({ rule }) => rule).join(', ')}`, terminal.width, '  '),
  );
  const sign = terminal.style('green', `✓ ${plural(held.length, 'rule')} held`);
  const others = reasons.length === 0 ? '' : `${terminal.style('dim', reasons.join('\n'))}\n`;
  return `  ${sign}\n${terminal.style('dim', names)}\n${others}`;
}

/** Formats all rules, or one. @throws CliError for an unknown rule. */
function showRules({ explain, json }: ValidateFlags, terminal: Terminal): string {
  const rules = validationRules.filter(({ name }) => explain === undefined || name === explain);
  if (rules.length === 0) {
    const names = validationRules.map(({ name }) => name);
    throw new CliError(`${unknownName('rule', explain ?? '', names)} --list shows all rules.`);
  }
  if (json) {
    const described = rules.map(({ name, levels, sentence, explanation }) => ({
      rule: name,
      levels,
      sentence,
      explanation,
    }));
    return `${safeJson(explain === undefined ? described : described[0])}\n`;
  }
  if (explain !== undefined) return rules.map((rule) => explainRule(rule, terminal)).join('');
  const names = padAll(rules.map(({ name }) => name));
  const levels = padAll(rules.map((rule) => rule.levels.join(', ')));
  const lines = rules.map(
    ({ sentence }, at) => `${terminal.style('cyan', names[at] ?? '')}  ${levels[at]}  ${sentence}\n`,
  );
  return `${lines.join('')}${plural(rules.length, 'rule')}; ors validate --explain <rule> says more about one\n`;
}

function explainRule({ name, levels, sentence, explanation }: ValidationRule, terminal: Terminal): string {
  const text = [`${sentence}.`, explanation, `Level: ${levels.join(' or ')}. Skip it with --ignore ${name}.`];
  const paragraphs = text.map((part) => `${wrapText(part, terminal.width, '  ')}\n`);
  return `${terminal.style('bold', name)}\n${paragraphs.join('')}`;
}

function formatLevel(findings: readonly ValidationFinding[], level: FindingLevel, terminal: Terminal): string {
  return validationRules
    .map(({ name, sentence }) => {
      const own = findings.filter((finding) => finding.rule === name && finding.level === level);
      if (own.length === 0) return '';
      const sign = terminal.style(STYLES[level], `${SIGNS[level]} ${name}`);
      const about = level === 'note' ? '' : `${terminal.style('dim', wrapText(sentence, terminal.width, '    '))}\n`;
      return `  ${sign}\n${about}${examples(own, terminal)}`;
    })
    .join('');
}

function examples(findings: readonly ValidationFinding[], terminal: Terminal): string {
  const lines = findings.slice(0, MAX_EXAMPLES).map((finding) => {
    const place = placeOf(finding);
    return `${wrapText(stripControls(`${place === '' ? '' : `${place}: `}${finding.message}`), terminal.width, '    ')}\n`;
  });
  const others = findings.slice(MAX_EXAMPLES);
  if (others.length === 0) return lines.join('');
  const places = [...new Set(others.map(placeOf))].filter((place) => place !== '').join(', ');
  const more = `and ${others.length} more${places === '' ? '' : ` (${stripControls(places)})`}`;
  return `${lines.join('')}${terminal.style('dim', wrapText(more, terminal.width, '    '))}\n`;
}

const placeOf = ({ split, index }: ValidationFinding): string =>
  split === undefined ? '' : index === undefined ? split : `${split} ${index}`;

function countsText(findings: readonly ValidationFinding[], terminal: Terminal): string {
  const counts = countByLevel(findings);
  const shown = LEVELS.filter((level) => counts[level] > 0).map((level) =>
    terminal.style(STYLES[level], plural(counts[level], level)),
  );
  return shown.join(', ') || terminal.style('green', 'no findings');
}

function ending(validation: ValidationReport, terminal: Terminal): string {
  const { findings, tasks, episodes, calls, durationMs, seed, interrupted } = validation;
  const counts = countByLevel(findings);
  const tone = counts.error > 0 ? 'red' : counts.warning > 0 ? 'yellow' : 'green';
  const headline = LEVELS.map((level) => plural(counts[level], level)).join(', ');
  const work = [plural(tasks, 'task'), plural(episodes, 'episode'), plural(calls, 'call')].join(', ');
  const end = interrupted ? '\nInterrupted: only the tasks played so far were validated.' : '';
  return `${terminal.style('bold', terminal.style(tone, headline))} in ${work}, ${duration(durationMs / 1000)}, seed ${seed}.${end}\n`;
}
