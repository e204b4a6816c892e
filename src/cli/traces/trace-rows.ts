import type { Trace } from '../../../generated/trace.ts';
import { formatNumber, oneLine } from '../../core/index.ts';
import type { TableColumn } from '../terminal/columns.ts';
import { csvRow } from './csv.ts';

const orNothing = (text: string | null): string => (text === null ? '-' : oneLine(text));
export const formatRewardCell = (reward: number | null): string => (reward === null ? '-' : formatNumber(reward, 12));
/** To the second; JSON has the rest. */
export const formatTime = (time: string): string => time.slice(0, 19).replace('T', ' ');

export const TRACE_TABLE_COLUMNS: readonly TableColumn<Trace>[] = [
  { title: 'TRACE', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'REWARD', text: ({ reward_sum }) => formatRewardCell(reward_sum), isRight: true },
  { title: 'BLOCKS', text: ({ block_count }) => String(block_count), isRight: true },
  { title: 'ERRORS', text: ({ error_count }) => String(error_count), isRight: true },
  { title: 'CREATED (UTC)', text: ({ created_at }) => formatTime(created_at) },
  { title: 'ENVIRONMENT', text: ({ environment }) => orNothing(environment) },
  { title: 'SPLIT', text: ({ split }) => orNothing(split) },
  { title: 'RUN', text: ({ run }) => orNothing(run) },
];

const CSV_FIELDS = [
  ...(['id', 'name', 'run', 'environment', 'variant', 'split', 'task_index', 'task_key', 'group_id', 'step'] as const),
  ...(['rollout_index', 'model', 'status', 'reward_sum', 'reward_last', 'reward_max', 'reward_count'] as const),
  ...(['block_count', 'bytes', 'error_count', 'created_at', 'finished_at', 'updated_at'] as const),
] as const;

export const CSV_HEADER = csvRow([...CSV_FIELDS, 'tags']);

export const traceCsv = (trace: Trace): string =>
  csvRow([...CSV_FIELDS.map((field) => trace[field]), trace.tags.join(' ')]);
