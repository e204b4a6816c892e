import type { ComponentChildren } from 'preact';
import { navigate, useQuery, withQuery } from '../api/location.ts';
import type { LoadState, PagedList } from '../api/use-load.ts';
import { ErrorCard, Skeleton, StaleBanner } from './states.tsx';

interface LoadedProps<T> {
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
      {isPolled && failure && <StaleBanner failure={failure} />}
      {children(data)}
    </>
  );
}

/** Field that filters a list by the query parameter `q`. */
export function SearchField({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={useQuery().get('q') ?? ''}
      onInput={(event) => navigate(withQuery({ q: event.currentTarget.value || undefined }), { replace: true })}
    />
  );
}

/** Shown if nothing in a list matches `SearchField`. */
export function NoMatches({ noun }: { readonly noun: string }) {
  return (
    <p class="none">
      No {noun} has “{useQuery().get('q')}” in its name. <a href={withQuery({ q: undefined })}>Show all {noun}s</a>
    </p>
  );
}

interface LoadMoreProps {
  readonly list: Pick<PagedList<unknown>, 'hasMore' | 'loadMore'> & { readonly isLoading?: boolean };
  /** Describes what is shown so far. */
  readonly children: ComponentChildren;
}

/** Button that loads the next page of a list. */
export function LoadMore({ list: { hasMore, isLoading = false, loadMore }, children }: LoadMoreProps) {
  return (
    <p class="more">
      {children}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={loadMore}>
          {isLoading ? 'Loading …' : 'Show more'}
        </button>
      )}
    </p>
  );
}

export interface SortOrder<Field extends string = string> {
  readonly sort: Field;
  readonly order: 'asc' | 'desc';
}

export interface Column<Row, Field extends string = never> {
  readonly label: string;
  /** Classes of the header and the cells, such as `number` and `wide`. */
  readonly class?: string;
  /** Set if the table can be sorted by the column. */
  readonly sort?: Field;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row, Field extends string> {
  readonly class?: string;
  readonly columns: readonly Column<Row, Field>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly attributesOf?: (row: Row) => { readonly class?: string; readonly 'aria-current'?: 'true' };
  readonly sorting?: SortOrder<Field> | undefined;
  readonly onSort?: ((sorting: SortOrder<Field>) => void) | undefined;
}

/** Table with one row per item; the headers of sortable columns are buttons if there is `onSort`. */
export function Table<Row, Field extends string = never>(props: TableProps<Row, Field>) {
  const { columns, rows, keyOf, attributesOf, sorting, onSort } = props;
  return (
    <div class="scroll-x">
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.label} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...attributesOf?.(row)}>
              {columns.map((column) => (
                <td key={column.label} class={column.class}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row, Field extends string> extends Pick<TableProps<Row, Field>, 'sorting' | 'onSort'> {
  readonly column: Column<Row, Field>;
}

/** Header of a column: the first click sorts descending, the second ascending. */
function Head<Row, Field extends string>({ column, sorting, onSort }: HeadProps<Row, Field>) {
  const { label, sort } = column;
  if (sort === undefined || !onSort) return <th class={column.class}>{label}</th>;
  const current = sorting?.sort === sort ? sorting.order : undefined;
  const ariaSort = current === undefined ? 'none' : current === 'asc' ? 'ascending' : 'descending';
  return (
    <th class={column.class} aria-sort={ariaSort}>
      <button type="button" class="head" onClick={() => onSort({ sort, order: current === 'desc' ? 'asc' : 'desc' })}>
        {label}
        <span aria-hidden="true">{current === undefined ? '' : current === 'asc' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  );
}
