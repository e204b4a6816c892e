import { useQuery, withQuery } from '../shell/location.ts';

/** Says which names of the address have values that nothing can have; what is shown is shown without them. */
export function IgnoredParams({ names }: { readonly names: readonly string[] }) {
  const query = useQuery();
  if (names.length === 0) return null;
  const given = names.map((name) => `${name}=${query.get(name)}`).join(', ');
  return (
    <p class="banner row" role="alert">
      <span>
        Not used, as it means nothing here: <code>{given}</code>
      </span>
      <a href={withQuery(Object.fromEntries(names.map((name) => [name, undefined]))) + location.hash}>
        Take it out of the address
      </a>
    </p>
  );
}
