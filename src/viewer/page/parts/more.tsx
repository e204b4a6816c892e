/** Asks for the next page of a list. */
export function LoadMore({
  shown,
  hasMore,
  isLoading,
  onMore,
}: {
  readonly shown: string;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}) {
  return (
    <p class="more">
      {shown}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={onMore}>
          {isLoading ? 'Loading …' : 'Show more'}
        </button>
      )}
    </p>
  );
}
