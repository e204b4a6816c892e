import { useState } from 'preact/hooks';
import type { RequestError, RequestErrorKind } from '../api/failure.ts';
import { setApiKey, useApiKey } from '../api/key.ts';
import { buildHref, useQuery } from '../shell/location.ts';
import { SERVER_FEATURES } from '../shell/offers.ts';

const TITLES: Readonly<Record<RequestErrorKind, string>> = {
  unauthorized: 'This server needs an API key',
  forbidden: 'This API key may not see that',
  missing: 'It is not here',
  deleted: 'It was deleted',
  offline: 'The server does not answer',
  server: 'The server failed',
  refused: 'The server refused this',
  other: 'Something else than this server has answered',
};

const ADVICE: Readonly<Record<RequestErrorKind, string>> = {
  unauthorized: 'Give yours here, or ask those who run the server for one. This tab keeps it until it is closed.',
  forbidden: 'Use another key, or ask those who run the server for one that may.',
  missing: 'The link may be of another server or organization, or have a character too few.',
  deleted: 'What is deleted cannot be brought back; an export of it can be imported under another id.',
  offline: 'Start it again, or look whether this machine has a network; the page goes on from there.',
  server: 'Its log tells why. Reading has changed nothing of what is stored.',
  refused: 'The address of this page may have been changed by hand; begin again from a list.',
  other: 'It may be the login page of a proxy: load this page anew to log in there, or ask those who run the proxy.',
};

const LEAD_ELSEWHERE: readonly RequestErrorKind[] = ['missing', 'deleted', 'refused'];
const MAY_PASS: readonly RequestErrorKind[] = ['forbidden', 'offline', 'server', 'other'];

interface Props {
  readonly failure: RequestError;
  readonly retry: () => void;
}

/** What could not be shown, why, and what to do next. */
export function ErrorCard({ failure: { kind, message, status }, retry }: Props) {
  return (
    <section class={`card notice failure failure-${kind}`} role="alert">
      <h2>{TITLES[kind]}</h2>
      <p class="said">
        {message}
        {status > 0 && <small> (status {status})</small>}
      </p>
      <p>{ADVICE[kind]}</p>
      {(kind === 'unauthorized' || kind === 'forbidden') && <KeyForm />}
      {LEAD_ELSEWHERE.includes(kind) && <Elsewhere />}
      {MAY_PASS.includes(kind) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}

/** Where to go on from a page of which there is nothing. */
function Elsewhere() {
  const view = useQuery().get('view') ?? '';
  const isOfEnvironments = !SERVER_FEATURES.traces || ['environments', 'environment', 'play'].includes(view);
  return isOfEnvironments ? (
    <a class="button" href={buildHref({ view: 'environments' })}>
      Look at all environments
    </a>
  ) : (
    <a class="button" href={buildHref({ view: 'runs' })}>
      Look at all runs
    </a>
  );
}

function KeyForm() {
  const current = useApiKey();
  const [key, setKey] = useState('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() === '') return;
        setApiKey(key.trim());
        setKey('');
      }}
    >
      <input
        type="password"
        aria-label="API key"
        placeholder={current === undefined ? 'API key' : 'another API key'}
        autocomplete="off"
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Use it
      </button>
    </form>
  );
}
