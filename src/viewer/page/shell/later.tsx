import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../parts/skeleton.tsx';

/** A component whose code is loaded when it is shown first. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, setReady] = useState(loaded !== undefined);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (loaded) return;
      load().then((component) => {
        loaded = component;
        setReady(true);
      }, setError);
    }, []);
    if (error) throw error;
    const Loaded = loaded;
    return Loaded ? <Loaded {...props} /> : <Skeleton lines={6} />;
  };
}
