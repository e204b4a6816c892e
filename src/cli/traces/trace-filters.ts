import { definedFields } from '../../core/index.ts';
import {
  describeSearchProblem,
  isSearchProblem,
  parseSearch,
  parseTraceFilter,
  SELECTION_UNITS,
  type SearchQuery,
  type TraceFilter,
  type TraceSelection,
} from '../../trace/model/index.ts';
import { defineFlags, type FlagValues, integerParser } from '../command.ts';
import { CliError } from '../failure.ts';
import { parseTraceId } from './open-traces.ts';

/** Flags of commands that select traces by their fields. */
export const traceFilterFlags = defineFlags({
  '--run <name>': 'only traces of this run',
  '--environment <name>': 'only traces of this environment',
  '--split <name>': 'only traces of this split',
  '--step <number>': { help: 'only traces of this training step', parse: integerParser() },
  '--group <id>': 'only traces of this group',
  '--parent <trace>': { help: 'only traces that continue this trace', parse: parseTraceId },
  '--status <status>': {
    help: 'only traces with this status',
    choices: ['running', 'finished', 'error', 'abandoned'],
  },
  '--model <name>': 'only traces of this model',
  '--tag <tag>': 'only traces with this tag',
  '--has-error': 'only traces with a failed tool call',
  '--search <text>': 'only traces whose id or name contains this text',
  '--score <condition>': "only traces with such a score, such as 'correctness>=0.5'",
  '--query <query>': {
    help: "only traces that match, such as 'model:qwen reward:>0.5 -tag:draft'; see ors traces search --help",
    parse: (text: string): string => parseQuery('--query', text).text,
  },
});

/** Parses a query of the operation search. @throws CliError with the position of the problem. */
export function parseQuery(name: string, text: string): { readonly text: string; readonly parsed: SearchQuery } {
  const parsed = parseSearch(text);
  if (isSearchProblem(parsed)) throw new CliError(`invalid ${name}: ${describeSearchProblem(parsed)}`);
  return { text, parsed };
}

/** Returns the query of `listTraces` for these flags. */
export function traceQueryOf(flags: FlagValues<typeof traceFilterFlags>) {
  const { run, environment, split, step, group, parent, status, model, tag, hasError, search, score, query } = flags;
  const renamed = { group_id: group, has_error: hasError, q: search };
  return definedFields({ run, environment, split, step, parent, status, model, tag, score, query, ...renamed });
}

/** Flags of commands that select the best traces. */
export const traceSelectionFlags = defineFlags({
  '--where <conditions>': {
    help: "only traces that match, such as 'reward>=1 and status=finished'; repeatable",
    parse(text: string, previous?: TraceFilter): TraceFilter {
      const filter = parseTraceFilter(text);
      if ('expected' in filter) throw new CliError(`invalid --where: expected ${filter.expected}, got ${filter.got}`);
      return previous === undefined ? filter : joinFilters(previous, filter);
    },
  },
  '--best <number>': {
    help: 'only this number of traces with the greatest reward of each group',
    parse: integerParser({ min: 1 }),
  },
  '--per <unit>': { help: 'what --best chooses from (default: group)', choices: SELECTION_UNITS },
});

const joinFilters = (one: TraceFilter, other: TraceFilter): TraceFilter => ({
  matches: (...of) => one.matches(...of) && other.matches(...of),
  usesScores: one.usesScores || other.usesScores,
});

export const traceSelectionOf = ({
  where,
  best,
  per,
}: FlagValues<typeof traceSelectionFlags>): Omit<TraceSelection, 'scoresOf'> => ({ where, best, per });
