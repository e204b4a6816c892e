import { useState } from 'preact/hooks';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { Button, useDownload } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { formatReward } from '../parts/rewards.ts';
import { lazy } from '../parts/states.tsx';
import type { TraceFilters } from './filters.ts';

const FORMATS = [
  ['jsonl', 'every block as it is stored; can be imported again'],
  ['openai', 'chat messages with tool calls, for fine-tuning'],
  ['sharegpt', 'conversations, for fine-tuning'],
  ['atif', 'Agent Trajectory Interchange Format; can be imported again'],
  ['otlp-json', 'spans for OpenTelemetry'],
] as const;

interface Props {
  readonly run: string;
  readonly filters: TraceFilters;
}

/** Exports the traces of the run, or those that match the filters. */
export function ExportLinks(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Export …</Button>
      {isOpen && (
        <Dialog title={`Export ${props.run}`} onClose={() => setOpen(false)}>
          <Formats {...props} />
        </Dialog>
      )}
    </>
  );
}

const ScorePanel = lazy(() => import('../scores/panel.tsx').then((it) => it.ScorePanel));

/** Shows and adds scores of the run, and lists those of its traces. */
export function RunScores({ run }: Pick<Props, 'run'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Scores …</Button>
      {isOpen && (
        <Dialog title={`Scores of ${run}`} onClose={() => setOpen(false)}>
          <ScorePanel of={{ run }} />
        </Dialog>
      )}
    </>
  );
}

function Formats({ run, filters }: Props) {
  const org = useOrganization();
  const { message, isRunning, download } = useDownload();
  const save = (format: (typeof FORMATS)[number][0]) => {
    const query = { format, ...filters };
    const file = unwrapResponse(traceApi.exportRun({ params: { path: { org, run }, query } }));
    return download(format, file, format === 'jsonl' ? `${run}.jsonl` : `${run}.${format}.jsonl`);
  };
  return (
    <div class="stack run-exports">
      <p>{whichTraces(filters)}</p>
      <ul>
        {FORMATS.map(([format, description]) => (
          <li key={format}>
            <Button disabled={isRunning} onClick={() => save(format)}>
              {format}
            </Button>
            <span>{description}</span>
          </li>
        ))}
      </ul>
      <p role="status">{message}</p>
    </div>
  );
}

function whichTraces({ reward_min, reward_max, status, q, query, ...others }: TraceFilters): string {
  const parts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(reward_min === undefined ? [] : [`a reward of at least ${formatReward(reward_min)}`]),
    ...(reward_max === undefined ? [] : [`a reward of at most ${formatReward(reward_max)}`]),
    ...(q === undefined ? [] : [`“${q}” in the name or id`]),
    ...(query === undefined ? [] : [query]),
    ...Object.entries(others).map(([name, value]) => `${name} ${value}`),
  ];
  return parts.length === 0 ? 'All traces of the run.' : `Traces with ${parts.join(', ')}.`;
}
