import { useEffect } from 'preact/hooks';
import { useNavigationGuard } from '../shell/location.ts';
import type { PlaygroundTask } from './episode.ts';

const QUESTION = 'The episode is not finished: end it?';

/**
 * Has the player asked before an episode that is under way is ended: by another address, or as the tab is closed.
 *
 * @returns what asks the same for anything else.
 */
export function useConfirmLeave({ environment, split, index }: PlaygroundTask, isUnderWay: boolean): () => boolean {
  const mayEnd = () => !isUnderWay || confirm(QUESTION);
  const isHere = (query: URLSearchParams) =>
    query.get('view') === 'play' &&
    query.get('environment') === environment &&
    (query.get('split') ?? split) === split &&
    Number(query.get('index')) === index;
  useNavigationGuard((query) => isHere(query) || mayEnd());
  useEffect(() => {
    if (!isUnderWay) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnderWay]);
  return mayEnd;
}
