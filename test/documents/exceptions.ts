/** A block that is parsed but not run, or an output that is not compared. */
export interface Exception {
  readonly document: string;
  /** Text that no other block of the document contains. */
  readonly has: string;
  readonly reason: string;
}

/** Shell lines that are checked by the parser of the command line, but not run. */
export const NOT_RUN: readonly Exception[] = [
  { document: 'docs/auditing.md', has: 'audit replay', reason: 'needs a finding; test/cli/audit runs it' },
  {
    document: 'docs/conformance.md',
    has: '8080 --report conformance-report',
    reason: 'the same as the first block, with a report; test/package runs it',
  },
  {
    document: 'docs/conformance-client.md',
    has: 'ors-kit conformance-client --command',
    reason: 'needs ors-sdk and a minute; test/interop runs the adapter',
  },
  {
    document: 'docs/cookbook/tasks.md',
    has: 'tasks snapshot environment.ts --out tasks.jsonl',
    reason: 'docs/evaluating.md has the same commands',
  },
  {
    document: 'docs/durability.md',
    has: 'serve examples/countdown/environment.ts --journal',
    reason: 'docs/rollouts.md has the same command',
  },
  {
    document: 'docs/evaluating.md',
    has: 'npx ors-kit validate examples/countdown',
    reason: 'docs/validating.md has the same command',
  },
  { document: 'docs/operating.md', has: 'NODE_OPTIONS=', reason: "needs the packages of OpenTelemetry's SDK" },
  { document: 'docs/sandboxes.md', has: '/etc/apparmor.d', reason: 'changes the system' },
  { document: 'docs/scaling.md', has: '--workers 4', reason: 'needs five free ports in a row; test/cluster runs it' },
  { document: 'docs/scaling.md', has: '10.0.0.11', reason: 'needs other machines' },
  {
    document: 'docs/viewer.md',
    has: 'npx ors-kit serve environment.ts --traces',
    reason: 'docs/traces.md has the same commands',
  },
  { document: 'README.md', has: 'npx ors-kit generate', reason: 'docs/embedding.md has the same command' },
];

/** Texts that differ from the output of the block before them. */
export const NOT_COMPARED: readonly Exception[] = [
  { document: 'docs/command-line.md', has: 'watching 3 files', reason: 'what --watch says; test/cli/serve-watch' },
  { document: 'docs/command-line.md', has: 'cuntdown', reason: 'test/cli/mistakes' },
  { document: 'docs/command-line.md', has: 'const open = (;', reason: 'test/cli/mistakes' },
  { document: 'docs/conformance.md', has: '80/81 required pass', reason: 'a server that has a few things wrong' },
  { document: 'docs/conformance-client.md', has: 'leading-blanks', reason: 'what ors-sdk 0.1.0 gets wrong' },
  { document: 'docs/tasks.md', has: 'ors-tasks/1', reason: 'manifests.slow.test.ts' },
  { document: 'docs/tasks.md', has: 'not the same: 1 changed', reason: 'manifests.slow.test.ts' },
  { document: 'docs/operating.md', has: 'SESSIONS', reason: 'a server that is busy; test/cli/top' },
];

/** Returns true if an entry of the table applies to the block. */
export const isExcepted = ({ place, code }: { place: string; code: string }, table: readonly Exception[]): boolean =>
  table.some(({ document, has }) => place.startsWith(`${document}:`) && code.includes(has));

/** Documents whose TypeScript another test compiles and runs. */
export const CHECKED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/auditing.md': 'test/audit/document.slow.test.ts',
  'docs/bridges.md': 'test/bridges/document.slow.test.ts',
};

/** Environments whose `solve` needs software that not every machine has. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  workshop: 'needs bubblewrap; test/sandbox',
  shell: 'needs bubblewrap; test/sandbox',
  'one-liners': 'needs bubblewrap; its own check plays it without',
  trivia: 'needs a judge; its own check plays it',
  essays: 'needs a grader; its own check plays it',
};
