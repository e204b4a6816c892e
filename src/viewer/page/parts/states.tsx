import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SERVER_FEATURES, setApiKey, useApiKey } from '../api/access.ts';
import { buildHref, useQuery, withQuery } from '../api/location.ts';
import { type RequestError, type RequestErrorKind, statusNote } from '../api/request-error.ts';
import type { LoadState } from '../api/use-load.ts';
import { Button, ButtonLink } from './buttons.tsx';

const TITLES: Readonly<Record<RequestErrorKind, string>> = {
  unauthorized: 'This server needs an API key',
  forbidden: 'This API key has no access',
  missing: 'Not found',
  deleted: 'Deleted',
  offline: 'The server is unreachable',
  server: 'The server failed',
  refused: 'The server rejected the request',
  other: 'The response is not from this server',
};

const ADVICE: Readonly<Record<RequestErrorKind, string>> = {
  unauthorized: 'Enter your key, or ask the operator of the server for one. This tab keeps it until it is closed.',
  forbidden: 'Use another key, or ask the operator of the server for access.',
  missing: 'The link may belong to another server or organization, or be incomplete.',
  deleted: 'Deleted traces cannot be restored; an export can be imported under another id.',
  offline: 'Start the server again, or check the network; this page then continues.',
  server: 'See its log for the reason. Reading does not change stored data.',
  refused: 'The address of this page may be invalid; start again from a list.',
  other: 'It may be the login page of a proxy: reload this page to log in, or ask the operator of the proxy.',
};

const LINKS_TO_LIST: readonly RequestErrorKind[] = ['missing', 'deleted', 'refused'];
const CAN_RETRY: readonly RequestErrorKind[] = ['forbidden', 'offline', 'server', 'other'];

interface Props {
  readonly failure: RequestError;
  /** Omitted if trying again is useless. */
  readonly retry?: () => void;
}

/** Explains a failed request and what to do next. */
export function ErrorCard({ failure, retry }: Props) {
  const { kind, message } = failure;
  const card = useRef<HTMLElement>(null);
  // Heads the page, unless the page has a heading of its own.
  const [Heading, setHeading] = useState<'h1' | 'h2'>('h2');
  useLayoutEffect(() => {
    const main = card.current?.closest('main');
    if (main && !main.querySelector('h1')) setHeading('h1');
  }, []);
  return (
    <section ref={card} class={`card notice failure failure-${kind}`} role="alert">
      <Heading>{TITLES[kind]}</Heading>
      <p class="said">
        {message}
        <small>{statusNote(failure)}</small>
      </p>
      <p>{ADVICE[kind]}</p>
      {(kind === 'unauthorized' || kind === 'forbidden') && <KeyForm />}
      {LINKS_TO_LIST.includes(kind) && <ListLink />}
      {retry && CAN_RETRY.includes(kind) && <Button onClick={retry}>Try again</Button>}
    </section>
  );
}

/** Link to a list, for pages whose subject does not exist. */
function ListLink() {
  const view = useQuery().get('view') ?? '';
  const isEnvironmentPage = !SERVER_FEATURES.traces || ['environments', 'environment', 'play'].includes(view);
  const list = isEnvironmentPage ? 'environments' : 'runs';
  return <ButtonLink href={buildHref({ view: list })}>All {list}</ButtonLink>;
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

/** Time after which a response is considered slow. */
const SLOW_MS = 15_000;

/** Grey lines while data is loading; after a while, advice. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {isSlow && (
        <Banner>
          The server is slow. This page is still waiting for it.
          <Button onClick={() => location.reload()}>Try again</Button>
        </Banner>
      )}
      <div class="skeleton" role="status" aria-label="Loading">
        {Array.from({ length: lines }, (_, index) => (
          <i key={index} />
        ))}
      </div>
    </>
  );
}

export interface LoadedProps<T> {
  readonly state: Pick<LoadState<T>, 'data' | 'failure' | 'reload'>;
  /** Number of grey lines while it is loading. */
  readonly lines: number;
  /** Set if the data is polled, so that it can be out of date. */
  readonly isPolled?: boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** Renders loaded data; until then a skeleton or the error. */
export function Loaded<T>({ state: { data, failure, reload }, lines, isPolled = false, children }: LoadedProps<T>) {
  if (data === undefined) return failure ? <ErrorCard failure={failure} retry={reload} /> : <Skeleton lines={lines} />;
  return (
    <>
      {isPolled && failure && <Banner>Not up to date: {failure.message}</Banner>}
      {children(data)}
    </>
  );
}

/** Warning above the content of a page. */
export const Banner = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="banner row" role="alert">
    {children}
  </div>
);

/** Lists query parameters with invalid values, which are ignored. */
export function IgnoredParams({ names }: { readonly names: readonly string[] }) {
  const query = useQuery();
  if (names.length === 0) return null;
  const given = names.map((name) => `${name}=${query.get(name)}`).join(', ');
  return (
    <Banner>
      <span>
        Ignored, because it is not valid here: <code>{given}</code>
      </span>
      <a href={withQuery(Object.fromEntries(names.map((name) => [name, undefined]))) + location.hash}>
        Remove it from the address
      </a>
    </Banner>
  );
}

/**
 * Loads the code of a component when it is shown first.
 *
 * @param Waiting shown until then. @default grey lines
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props> = () => <Skeleton lines={6} />,
): ComponentType<Props> {
  let View: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, setReady] = useState(View !== undefined);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (View) return;
      load().then((component) => {
        View = component;
        setReady(true);
      }, setError);
    }, []);
    if (error) throw error;
    const Shown = View;
    return Shown ? <Shown {...props} /> : <Waiting {...props} />;
  };
}
