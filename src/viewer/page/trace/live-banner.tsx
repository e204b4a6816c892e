import { useEffect, useState } from 'preact/hooks';
import type { TraceFeedState } from './feed.ts';

interface Props {
  readonly state: TraceFeedState;
  /** A block that the address names and the trace does not have. */
  readonly missing: string | undefined;
  readonly loaded: number;
  readonly onRetry: () => void;
}

/** What is not as it should be with the trace that is shown. */
export function LiveBanner({ state, missing, loaded, onRetry }: Props) {
  const { failure, retryAt, isDeleted, isComplete, trace } = state;
  if (isDeleted) {
    return (
      <p class="banner" role="alert">
        This trace was deleted. What was read of it is still shown.
      </p>
    );
  }
  if (failure) {
    return (
      <p class="banner" role="alert">
        Disconnected: {failure.message}. <Countdown to={retryAt} />{' '}
        <button type="button" class="quiet" onClick={onRetry}>
          Try now
        </button>
      </p>
    );
  }
  if (missing !== undefined) {
    return (
      <p class="banner" role="alert">
        {isComplete ? `This trace has no block ${missing}.` : `Looking for block ${missing} …`}
      </p>
    );
  }
  if (isComplete || !trace || loaded === 0) return null;
  return (
    <progress
      class="tr-progress"
      max={Math.max(1, trace.block_count)}
      value={loaded}
      aria-label="Reading the outline"
    />
  );
}

function Countdown({ to }: { readonly to: number | undefined }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, []);
  if (to === undefined) return null;
  const seconds = Math.max(0, Math.ceil((to - Date.now()) / 1_000));
  return <span>{seconds === 0 ? 'Trying again …' : `Trying again in ${seconds} s.`}</span>;
}
