import type { Score, ScoreInput } from '../../../generated/trace.ts';
import { newScoreId } from '../../trace/model/index.ts';
import { defineCommand, parseNumberFlag } from '../command.ts';
import { CliError } from '../failure.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { openTraceAccess, parseTraceId, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';

export const tracesScoreCommand = defineCommand({
  name: 'score',
  arguments: [['[trace]', 'trace id; the prefix tr_ is optional']],
  flags: {
    '--run <name>': 'score this run instead of a trace',
    '--block <id>': 'score this block of the trace',
    '--name <name>': { help: 'criterion, such as correctness', required: true },
    '--value <number>': { help: 'numeric score', parse: parseNumberFlag },
    '--label <text>': 'categorical score',
    '--comment <text>': 'comment',
    '--author <name>': 'author of the score (default: your user name on this machine)',
    '--source <kind>': { help: 'kind of the author', choices: ['human', 'model', 'code'], default: 'human' },
    '--json': 'print the score as JSON',
    ...storeAccessFlags,
  },
  details: `A score needs at least one of --value, --label and --comment. It is a separate record: neither the trace nor its blocks
change. ors traces scores lists and deletes scores.`,
  examples: [
    'ors traces score tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --name correctness --value 1',
    "ors traces score --run first-run --name verdict --label promising --comment 'try a higher temperature'",
    'ors traces ls --score "correctness>=0.5" --sort score:correctness',
  ],
  report: reportTraceFailure,
  async run(trace, flags) {
    const { run, block, name, value, label, comment, source } = flags;
    if ((trace === undefined) === (run === undefined)) throw new CliError('pass either a trace id or --run <name>');
    if (value === undefined && label === undefined && comment === undefined) {
      throw new CliError('pass at least one of --value, --label and --comment');
    }
    const score: ScoreInput = {
      id: newScoreId(),
      trace_id: trace === undefined ? null : parseTraceId(trace),
      block_id: block ?? null,
      run: run ?? null,
      name,
      value: value ?? null,
      label: label ?? null,
      comment: comment ?? null,
      author: flags.author ?? process.env.USER ?? null,
      source,
    };
    await using access = await openTraceAccess(flags);
    // The response follows the specification.
    const stored = (await access.api.json('createScore', { body: JSON.stringify(score) })) as Score;
    openTerminal().print(flags.json ? `${safeJson(stored)}\n` : `scored ${run ?? block ?? trace} as ${stored.id}\n`);
  },
});
