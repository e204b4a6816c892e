import { useEffect, useState } from 'preact/hooks';
import { SERVER_FEATURES } from '../api/access.ts';
import { buildHref } from '../api/location.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Button, Select, useDownload } from '../parts/buttons.tsx';
import { RUN } from './episode.ts';
import type { PlaygroundTask } from './task.ts';
import type { EpisodeState } from './use-episode.ts';

interface Props {
  readonly played: PlaygroundTask;
  readonly state: EpisodeState;
}

/** Shows where the episode is recorded, and buttons that save it as a demonstration. */
export function RecordingPanel({ played, state }: Props) {
  const recorded = useRecorded(state);
  if (state.calls.every(({ outcome }) => !outcome)) return null;
  return (
    <section class="stack play-recording">
      {recorded && (
        <p>
          Recorded as <NewTabLink to={buildHref({ view: 'trace', trace: recorded.traceId })}>a trace</NewTabLink> of the
          run <NewTabLink to={buildHref({ view: 'run', run: RUN })}>{RUN}</NewTabLink>.
        </p>
      )}
      <Export played={played} state={state} recorded={recorded} />
    </section>
  );
}

/** Link that opens in a new tab, because the episode continues in this one. */
const NewTabLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={to} target="_blank" rel="noopener" title="Opens in a new tab">
    {children}
  </a>
);

/** Returns the path of the recorded trace, if this page may read it. */
function useRecorded({ traceId }: EpisodeState) {
  const subject = SERVER_FEATURES.traces && traceId !== undefined ? 'access' : undefined;
  const { data } = useLoad(subject, (signal) => unwrapResponse(traceApi.getAccess({ signal })));
  return data && traceId !== undefined ? { org: data.organization, traceId } : undefined;
}

const FORMATS = [
  ['openai', 'OpenAI messages'],
  ['sharegpt', 'ShareGPT'],
  ['jsonl', 'blocks (JSON Lines)'],
] as const;
type DemonstrationFormat = (typeof FORMATS)[number][0];

function Export({ played, state, recorded }: Props & { readonly recorded: ReturnType<typeof useRecorded> }) {
  const [format, setFormat] = useState<DemonstrationFormat>('openai');
  const { message, download } = useDownload();
  useEffect(() => {
    // Loaded before the server may have ended; a failure is reported by the export.
    loadDemonstration().catch(() => undefined);
  }, []);
  const save = () => {
    const name = [played.environment, played.split, played.index].join('-');
    if (!recorded) return download('openai', exportLocally(played, state), `${name}.json`);
    const file = unwrapResponse(traceApi.exportTrace({ params: { path: recorded, query: { format } } }));
    return download(format, file, format === 'jsonl' ? `${name}.jsonl` : `${name}.${format}.jsonl`);
  };
  return (
    <div class="row">
      <Button onClick={save}>Export demonstration</Button>
      {recorded ? (
        <Select
          label="Format"
          value={format}
          options={FORMATS}
          onChoose={(chosen) => setFormat(chosen as DemonstrationFormat)}
        />
      ) : (
        <small>OpenAI messages, created by this page</small>
      )}
      {message && <small role="status">{message}</small>}
    </div>
  );
}

/** Loads the code that only exports need, which has the formats of messages. */
const loadDemonstration = () => import('./demonstration.ts');

async function exportLocally(played: PlaygroundTask, { opened, calls }: EpisodeState): Promise<Blob> {
  const { toDemonstration } = await loadDemonstration();
  const { messages = [], tools = [] } = opened ?? {};
  const json = JSON.stringify(toDemonstration({ ...played, messages, tools, calls }), null, 2);
  return new Blob([json], { type: 'application/json' });
}
