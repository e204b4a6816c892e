import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../parts/skeleton.tsx';

const TICK_MS = 1_000;
/** Told after this: most setups take no time. */
const LONG_S = 2;

/** Shown until the environment is set up, which may take minutes. */
export function SetupProgress() {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setWaited((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Skeleton lines={6} />
      {waited >= LONG_S && <p class="none">The environment is being set up: {waited} s</p>}
    </>
  );
}
