import type { Attack } from '../attack.ts';
import type { AuditFinding, AuditReport } from '../options.ts';
import { describeReward, describeStep } from './describe.ts';

/**
 * Place of the findings, for tools that show them beside code.
 *
 * @example
 * const subject: AuditSubject = { module: 'environment.ts' };
 */
export interface AuditSubject {
  /** Path of the module, relative to the repository; undefined for a server. */
  readonly module?: string | undefined;
  /** URL of the server. */
  readonly url?: string | undefined;
}

/** Returns the findings in SARIF 2.1.0, for code scanning: proofs are errors, suspicions are notes. */
export function auditSarif(report: AuditReport, attacks: readonly Attack[], subject: AuditSubject): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ors audit',
            rules: attacks.map(({ id, title, advice, category }) => ({
              id,
              shortDescription: { text: title },
              help: { text: advice },
              properties: { category },
            })),
          },
        },
        invocations: [invocationOf(report)],
        results: report.findings.map((finding) => toResult(finding, attacks, subject)),
      },
    ],
  };
}

/** Code scanning shows environments that could not be audited as errors of the tool. */
function invocationOf({ interrupted, dryRun, environments }: AuditReport) {
  const notifications = environments.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [{ level: 'error', message: { text: `${name} could not be audited: ${failure}` } }],
  );
  return {
    // Code scanning closes the alerts that a successful run does not repeat.
    executionSuccessful: !interrupted && !dryRun && notifications.length === 0,
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
}

function toResult(finding: AuditFinding, attacks: readonly Attack[], { module, url }: AuditSubject) {
  const { kind, attack, title, environment, split, what, reason, advice, replays } = finding;
  const steps = replays[0]?.steps.map(describeStep).join('; ') ?? '';
  const doubt = reason === undefined ? '' : ` Not a proof: ${reason}.`;
  return {
    ruleId: attack,
    ruleIndex: attacks.findIndex(({ id }) => id === attack),
    level: kind === 'proof' ? 'error' : 'note',
    message: { text: `${title}: ${what}; this ${describeReward(finding)}.${doubt} ${advice} Transcript: ${steps}` },
    locations: [
      {
        // Code scanning needs a file; for a server, the address takes its place.
        physicalLocation: { artifactLocation: { uri: module ?? url ?? environment }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: `${environment}/${split}`, kind: 'module' }],
      },
    ],
    partialFingerprints: { exploit: `${environment}/${split}/${attack}` },
  };
}
