import { formatNumber, plural, previewJson } from '../../core/index.ts';
import { attacks } from '../attacks/index.ts';
import { formatReward } from '../judge.ts';
import type { AttackResult, AuditFinding, AuditReport } from '../options.ts';
import { MAIN, type TranscriptStep } from '../transcript.ts';

/** Counts of a report. */
export interface AuditCounts {
  readonly proofs: number;
  readonly suspicions: number;
  /** Environments whose audit failed. */
  readonly failures: number;
}

/**
 * Counts the findings by their kind, and the environments that could not be audited.
 *
 * @example
 * const audited = await audit({ environments: [environment] });
 * process.exitCode = countFindings(audited).proofs > 0 ? 3 : 0;
 */
export function countFindings({ findings, environments }: Pick<AuditReport, 'findings' | 'environments'>): AuditCounts {
  const proofs = findings.filter(({ kind }) => kind === 'proof').length;
  const failures = environments.filter(({ failure }) => failure !== undefined).length;
  return { proofs, suspicions: findings.length - proofs, failures };
}

/**
 * Returns the reasons why an audit that ended was partial: attacks that were not selected, tools that were not called, and
 * attacks that used up their share of the budget.
 *
 * @example
 * const audited = await audit({ environments: [environment] }, { attacks: ['AUDIT-LEAK'] });
 * for (const reason of listGaps(audited)) console.log(`Partial audit: ${reason}`);
 */
export function listGaps({ dryRun, environments }: Pick<AuditReport, 'dryRun' | 'environments'>): string[] {
  const audited = environments.filter(({ failure }) => failure === undefined);
  if (dryRun || audited.length === 0) return [];
  const selected = Math.min(...audited.map((environment) => environment.attacks.length));
  const tools = new Set(audited.flatMap(({ skippedTools }) => skippedTools));
  // Attacks that were not skipped have a reason only if they ended early.
  const isCut = ({ state, reason }: AttackResult) => state !== 'skipped' && reason !== undefined;
  const cut = audited.flatMap((environment) => environment.attacks).filter(isCut).length;
  return [
    ...(selected < attacks.length ? [`${selected} of ${plural(attacks.length, 'attack')} selected`] : []),
    ...(tools.size > 0 ? [`tools not called: ${[...tools].join(', ')}`] : []),
    ...(cut > 0 ? [`${plural(cut, 'attack')} cut off by the share of the budget`] : []),
  ];
}

/**
 * Formats the numbers of a finding: `earns 1 of 1 on 6 of 6 tasks; the floor is 0`.
 *
 * @example
 * const { findings } = await audit({ environments: [environment] });
 * for (const finding of findings) console.log(finding.what, describeReward(finding));
 */
export function describeReward({ reward, maxReward, paid, tried, floor }: AuditFinding): string {
  const max = maxReward === null ? '' : ` of ${formatNumber(maxReward)}`;
  return `earns ${formatReward(reward)}${max} on ${paid} of ${plural(tried, 'task')}; the floor is ${formatNumber(floor)}`;
}

/**
 * Formats a step of a transcript, such as `submit({"answer":"7"})`.
 *
 * @example
 * const { findings } = await audit({ environments: [environment] });
 * const lines = findings[0]?.replays[0]?.steps.map(describeStep);
 */
export function describeStep(step: TranscriptStep): string {
  if (step.do === 'wait') return `wait ${step.ms} ms`;
  if (step.do === 'ping') return `${plural(step.count, 'ping')}`;
  if (step.do === 'together') return `at the same time: ${step.calls.map(describeStep).join('; ')}`;
  const session = step.session === undefined || step.session === MAIN ? '' : ` in the session '${step.session}'`;
  if (step.do === 'open')
    return `open${session || ' the session'}${step.index === undefined ? '' : ` of task ${step.index}`}`;
  if (step.do === 'close') return `close the session '${step.session}'`;
  const again =
    step.again && `, requested again with its task_id ${step.again === 'after' ? 'after its result' : 'while it runs'}`;
  const clock = step.clock && `, with ${step.clock.at} from the ${step.clock.unit} of the clock`;
  const read = step.read ? `, with ${step.read.at} from an earlier output` : '';
  const honest = step.isHonest ? ' (a call of solve)' : '';
  return `${step.tool}(${previewJson(step.input)})${read}${clock ?? ''}${again ?? ''}${session}${honest}`;
}
