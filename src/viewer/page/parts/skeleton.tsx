import { useEffect, useState } from 'preact/hooks';

/** Longer than any answer should take. */
const SLOW_MS = 15_000;

/** Grey lines where something will stand; what to do where it does not come. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {isSlow && (
        <p class="banner row" role="alert">
          <span>The server is slow to answer. This page goes on waiting for it.</span>
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </p>
      )}
      <div class="skeleton" role="status" aria-label="Loading">
        {Array.from({ length: lines }, (_, index) => (
          <i key={index} />
        ))}
      </div>
    </>
  );
}
