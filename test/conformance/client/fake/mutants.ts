const READING = 'client/stream';

/** Faults of the fake client, with all checks that detect them: at most four. */
export const mutants = {
  // Session ids
  'reads-stream-sids-alone': ['client/session/json'],
  'reads-json-sids-alone': ['client/session/task-id-event', 'client/session/end-event'],
  'skips-end-sids': ['client/session/end-event'],
  'skips-task-id-sids': ['client/session/task-id-event'],

  // Streams
  'keeps-bom': [`${READING}/bom`],
  'keeps-cr': [`${READING}/cr-lf`, `${READING}/cr`, `${READING}/cr-lf-cut`],
  'ignores-cr': [`${READING}/cr`],
  'takes-lf-after-cr': [`${READING}/cr-lf-cut`],
  'decodes-packets': [`${READING}/utf-8-cut`],
  'fails-at-comments': [`${READING}/comments`, 'client/resume/heartbeats'],
  'fails-at-other-fields': [`${READING}/other-fields`],
  'fails-without-colon': [`${READING}/no-colon`],
  'expects-space': [`${READING}/no-space`],
  'expects-name-first': [`${READING}/data-before-event`],
  'keeps-last-line': [`${READING}/data-lines`, `${READING}/error-lines`],
  'joins-lines-by-spaces': [`${READING}/error-lines`],
  'takes-unknown-events': [`${READING}/unknown-event`],
  'takes-unnamed-events': [`${READING}/unnamed-event`],
  'splits-at-separators': [`${READING}/separators`],
  'limits-lines': [`${READING}/long-line`],

  // Chunks
  'trims-data': ['client/chunk/leading-blanks'],
  'parses-chunks': [
    'client/chunk/leading-blanks',
    'client/chunk/joined',
    'client/chunk/cut-escape',
    'client/resume/within-chunks',
  ],
  'keeps-last-chunk': ['client/chunk/leading-blanks', 'client/chunk/joined'],
  'drops-cut-escapes': ['client/chunk/cut-escape'],

  // Calls over several connections
  'fails-at-cuts': [`${READING}/bom`, 'client/resume/after-cut', 'client/resume/within-chunks'],
  'fails-at-early-ends': ['client/resume/after-early-end', 'client/resume/within-event'],
  'calls-anew-after-cuts': [
    `${READING}/bom`,
    'client/resume/after-cut',
    'client/resume/within-chunks',
    'client/resume/unknown-task',
  ],
  'keeps-old-chunks': ['client/resume/within-chunks'],
  'gives-cut-events': ['client/resume/within-event'],
  'calls-anew-when-unknown': ['client/resume/unknown-task'],
  'invents-results': ['client/resume/nothing-heard'],
  'never-gives-up': ['client/resume/endless'],
  'waits-for-ever': ['client/resume/silence'],
  'limits-comments': ['client/resume/heartbeats'],

  // Busy servers, and those that have moved
  hurries: ['client/retry/call-503', 'client/retry/create-429'],
  'fails-at-503': ['client/retry/call-503'],
  'fails-at-429': ['client/retry/create-429'],
  'ignores-redirects': ['client/retry/redirect'],
  'redirects-as-get': ['client/retry/redirect'],
  'redirects-without-body': ['client/retry/redirect'],
  'redirects-without-headers': ['client/retry/redirect'],

  // Errors
  'takes-errors-for-refusals': ['client/error/told-apart'],
  'takes-refusals-for-crashes': ['client/error/told-apart'],
  'expects-task-id': ['client/error/without-task-id'],
  'reads-output-first': ['client/error/refusal-with-output'],
  'reads-error-first': ['client/error/output-with-error'],
  'repeats-create': ['client/refusal/create-once'],
  'repeats-prompt': ['client/refusal/prompt-once'],
  'repeats-call': ['client/refusal/call-once'],
  'hides-detail': ['client/refusal/detail-string', 'client/refusal/detail-list', 'client/refusal/detail-object'],
  'hides-lists': ['client/refusal/detail-list'],
  'hides-objects': ['client/refusal/detail-object'],
  'takes-404-for-refusals': ['client/lost/call-404'],
  'takes-410-for-crashes': ['client/lost/call-410'],
  'takes-gone-prompts-for-empty': ['client/lost/prompt-404', 'client/lost/prompt-410'],

  // Answers
  'needs-reward': ['client/answer/missing-fields'],
  'fails-at-result-fields': ['client/answer/more-fields-in-result'],
  'fails-at-prompt-fields': ['client/answer/more-fields-in-prompt'],
  'fails-at-tool-fields': ['client/answer/more-fields-in-tools', 'client/answer/more-fields-in-discovery'],
  'needs-input-schema': ['client/answer/no-input-schema'],
  'fails-at-split-fields': ['client/answer/more-fields-in-discovery'],
  'drops-nulls': ['client/answer/any-json'],
  'shows-metadata': ['client/answer/metadata-apart', 'client/answer/any-json'],
  'takes-no-reward-for-0': ['client/answer/reward', 'client/answer/missing-fields'],
  'hides-finished': ['client/answer/finished', 'client/terminal/answer'],

  // Episodes
  'needs-version': ['client/episode/plain'],
  'drops-base-path': ['client/episode/base-path'],
  'omits-sid': ['client/episode/session-id'],
  'omits-sid-of-pings': ['client/episode/session-id'],
  'asks-for-shared-tools': ['client/episode/task-tools'],
  'omits-accept': ['client/episode/accept'],
  'omits-environment': ['client/create/environment'],
  'adds-task': ['client/create/by-index'],
  'adds-index': ['client/create/by-task'],
  'never-deletes': ['client/delete/when-done', 'client/delete/after-failure', 'client/error/after-finished'],
  'keeps-failed-episodes': ['client/delete/after-failure', 'client/error/after-finished'],
  'needs-delete-session': ['client/delete/no-delete-session'],
  'sends-no-pings-between-calls': ['client/ping/idle'],
  'sends-no-pings-in-calls': ['client/ping/during-call'],

  // Extensions
  'ignores-terminal-tools': ['client/terminal/answer', 'client/terminal/no-argument'],
  'always-sends-texts': ['client/terminal/no-argument'],
  'guesses-terminal-tools': ['client/terminal/none'],
  'flattens-messages': ['client/messages/roles'],
  'fails-without-messages': ['client/messages/fallback'],
  'asks-for-messages-again': ['client/messages/fallback'],
  'guesses-reasons': ['client/error/reason'],
  'loses-finished-sessions': ['client/error/after-finished'],
  'counts-starting': ['client/starting/prompt', 'client/starting/call'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Fault = keyof typeof mutants;

/** Returns whether a fault is active. */
export type Broken = (fault: Fault) => boolean;
