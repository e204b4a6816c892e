import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { errorMessage } from '../../../core/index.ts';
import { changeQuery, useQuery, withQuery } from '../api/location.ts';
import type { PagedList } from '../api/use-load.ts';
import { Button } from './buttons.tsx';
import { Loaded, type LoadedProps } from './states.tsx';

/** Field that filters a list by the query parameter `q`. */
const SearchField = ({ label }: { readonly label: string }) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={useQuery().get('q') ?? ''}
    onInput={(event) => changeQuery({ q: event.currentTarget.value || undefined })}
  />
);

interface ListPageProps<Item> extends LoadedProps<readonly Item[]> {
  readonly title: string;
  /** Name of one item, such as `run`. */
  readonly noun: string;
  /** Set if there is a search field. @default true */
  readonly hasSearch?: boolean;
  /** Field of another kind. @default one that finds a part of the name */
  readonly search?: ComponentChildren;
}

/** Page with a list that a search field filters by the query parameter `q`. */
export function ListPage<Item>({ title, noun, hasSearch = true, search, children, ...list }: ListPageProps<Item>) {
  const q = useQuery().get('q') ?? '';
  return (
    <Loaded {...list}>
      {(items) => (
        <>
          <header class="row">
            <h1>{title}</h1>
            <span class="spring" />
            {hasSearch && (search ?? <SearchField label={`Search ${noun}s`} />)}
          </header>
          {items.length === 0 && q !== '' && (
            <p class="none">
              No {noun} matches “{q}”. <a href={withQuery({ q: undefined })}>Show all {noun}s</a>
            </p>
          )}
          {children(items)}
        </>
      )}
    </Loaded>
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
    <p class="row muted">
      {children}
      {hasMore && (
        <Button disabled={isLoading} onClick={loadMore}>
          {isLoading ? 'Loading …' : 'Show more'}
        </Button>
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
  const { columns, rows, keyOf } = props;
  return (
    <div class="scroll-x">
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.label} {...props} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns a column of checkboxes that select rows. */
export const tickColumn = <Row,>(
  idOf: (row: Row) => string,
  chosen: readonly string[],
  onChoose: (chosen: readonly string[]) => void,
): Column<Row> => ({
  label: '',
  class: 'tick',
  cell: (row) => {
    const id = idOf(row);
    return (
      <input
        type="checkbox"
        aria-label={`Select ${id}`}
        checked={chosen.includes(id)}
        onChange={() => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
      />
    );
  },
});

interface RowProps<Row, Field extends string> extends TableProps<Row, Field> {
  readonly row: Row;
}

/** Row of a table; if it cannot be rendered, only its content is missing. */
function TableRow<Row, Field extends string>(props: RowProps<Row, Field>) {
  const [error] = useErrorBoundary();
  if (!error) return <Cells {...props} />;
  return (
    <tr>
      <td class="failed" colSpan={props.columns.length}>
        {props.keyOf(props.row)} cannot be shown: {errorMessage(error)}
      </td>
    </tr>
  );
}

function Cells<Row, Field extends string>({ row, columns, attributesOf }: RowProps<Row, Field>) {
  return (
    <tr {...attributesOf?.(row)}>
      {columns.map((column) => (
        <td key={column.label} class={column.class}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

interface HeadProps<Row, Field extends string> extends TableProps<Row, Field> {
  readonly column: Column<Row, Field>;
}

/** Header of a column: the first click sorts descending, the second ascending. */
function Head<Row, Field extends string>({ column, sorting, onSort }: HeadProps<Row, Field>) {
  const { label, sort } = column;
  // An empty header is announced as one without a name.
  if (label === '') return <td class={column.class} />;
  if (sort === undefined || !onSort) return <th class={column.class}>{label}</th>;
  const current = sorting?.sort === sort ? sorting.order : undefined;
  const ariaSort = current === undefined ? 'none' : current === 'asc' ? 'ascending' : 'descending';
  return (
    <th class={column.class} aria-sort={ariaSort}>
      <Button class="head" onClick={() => onSort({ sort, order: current === 'desc' ? 'asc' : 'desc' })}>
        {label}
        <span aria-hidden="true">{current === undefined ? '' : current === 'asc' ? ' ↑' : ' ↓'}</span>
      </Button>
    </th>
  );
}
