import { buildHref } from '../shell/location.ts';

/** Told where an address names what this server does not have. */
export function NotFound({ what }: { readonly what: string }) {
  return (
    <section class="card notice" role="alert">
      <h2>This server does not have that</h2>
      <p>{what}</p>
      <p>It may have been renamed, or the link is of another server.</p>
      <a class="button" href={buildHref({ view: 'environments' })}>
        Look at all environments
      </a>
    </section>
  );
}
