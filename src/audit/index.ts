export type { Attack, AttackCategory, ProofKind } from './attack.ts';
export { attacks } from './attacks/index.ts';
export { audit } from './audit.ts';
export type { UnmetClaim } from './judge.ts';
export type {
  AttackResult,
  AuditFinding,
  AuditOptions,
  AuditPlan,
  AuditReplay,
  AuditReport,
  EnvironmentAudit,
} from './options.ts';
export { parseFinding, type ReplayFindingOptions, type ReplayResult, replayFinding } from './replay.ts';
export { countFindings, describeReward, describeStep, listGaps } from './report/describe.ts';
export type { AuditSubject } from './report/sarif.ts';
export { prepareReportFolder, writeAuditReports } from './report/write-reports.ts';
export type {
  CallStep,
  ClockReference,
  ClockUnit,
  OutputReference,
  PlayedCall,
  TranscriptStep,
} from './transcript.ts';
