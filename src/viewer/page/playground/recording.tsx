import { useState } from 'preact/hooks';
import { asFailure, type Failure } from '../api/failure.ts';
import { answerOf, api } from '../api/store.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { saveFile } from '../parts/save-file.ts';
import { href } from '../shell/location.ts';
import { OFFERS } from '../shell/offers.ts';
import { demonstration } from './demonstration.ts';
import { type Played, RUN } from './episode.ts';
import type { EpisodeState } from './use-episode.ts';

interface Props {
  readonly played: Played;
  readonly state: EpisodeState;
}

/** Where the episode is recorded, and the ways to take it along as a demonstration. */
export function Recording({ played, state }: Props) {
  const recorded = useRecorded(state);
  if (state.calls.every(({ outcome }) => !outcome)) return null;
  return (
    <section class="play-recording">
      {recorded && (
        <p>
          Recorded as <Beside to={href({ view: 'trace', trace: recorded.traceId })}>a trace</Beside> of the run{' '}
          <Beside to={href({ view: 'run', run: RUN })}>{RUN}</Beside>.
        </p>
      )}
      <Export {...{ played, state, recorded }} />
    </section>
  );
}

/** A link into a tab of its own: the episode goes on in this one. */
const Beside = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={to} target="_blank" rel="noopener" title="In a tab of its own">
    {children}
  </a>
);

interface Recorded {
  readonly organization: string;
  readonly traceId: string;
}

/** The trace that the server writes, where this page may read it. */
function useRecorded({ traceId }: EpisodeState): Recorded | undefined {
  const subject = OFFERS.traces && traceId !== undefined ? 'access' : undefined;
  const { data } = useLoaded(subject, (signal) => answerOf(api.getAccess({ signal })));
  return data && traceId !== undefined ? { organization: data.organization, traceId } : undefined;
}

const FORMATS = [
  ['openai', 'OpenAI messages'],
  ['sharegpt', 'ShareGPT'],
  ['jsonl', 'blocks (JSON Lines)'],
] as const;
type Format = (typeof FORMATS)[number][0];

function Export({ played, state, recorded }: Props & { readonly recorded: Recorded | undefined }) {
  const [format, setFormat] = useState<Format>('openai');
  const [failure, setFailure] = useState<Failure>();
  const save = () => {
    setFailure(undefined);
    const name = [played.environment, played.split, played.index].join('-');
    if (!recorded) return saveFile(fromHere(played, state), `${name}.json`);
    const params = { path: { org: recorded.organization, traceId: recorded.traceId }, query: { format } };
    answerOf(api.exportTrace({ params })).then(
      (file) => saveFile(file, format === 'jsonl' ? `${name}.jsonl` : `${name}.${format}.jsonl`),
      (error) => setFailure(asFailure(error)),
    );
  };
  return (
    <div class="row">
      <button type="button" onClick={save}>
        Export as a demonstration
      </button>
      {recorded && (
        <select aria-label="Format" value={format} onChange={(event) => setFormat(event.currentTarget.value as Format)}>
          {FORMATS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {!recorded && <small>OpenAI messages, made in this page</small>}
      {failure && <small role="alert">Not exported: {failure.message}</small>}
    </div>
  );
}

function fromHere(played: Played, { opened, calls }: EpisodeState): Blob {
  const { prompt = [], tools = [] } = opened ?? {};
  const json = JSON.stringify(demonstration({ ...played, prompt, tools, calls }), null, 2);
  return new Blob([json], { type: 'application/json' });
}
