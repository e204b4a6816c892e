import { useMemo } from 'preact/hooks';
import { HighlightedText } from '../parts/visible-text.tsx';
import { CodeBlock } from './code.tsx';
import { type ColumnAlign, type MarkdownBlock, parseMarkdown } from './markdown-blocks.ts';
import { type MarkdownInline, parseInline } from './markdown-inline.ts';

interface Props {
  readonly text: string;
  readonly highlight?: string | undefined;
}

/** Renders Markdown. Raw HTML stays text, images are links, and links may lead only to web and mail addresses. */
export function Markdown({ text, highlight }: Props) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class="stack payload-markdown">
      <Blocks blocks={blocks} highlight={highlight} />
    </div>
  );
}

function Blocks({ blocks, highlight }: { readonly blocks: readonly MarkdownBlock[] } & Pick<Props, 'highlight'>) {
  return (
    <>
      {blocks.map((block, index) => (
        <One key={index} block={block} highlight={highlight} />
      ))}
    </>
  );
}

function One({ block, highlight }: { readonly block: MarkdownBlock } & Pick<Props, 'highlight'>) {
  if (block.type === 'rule') return <hr />;
  if (block.type === 'code') return <CodeBlock text={block.text} language={block.language} highlight={highlight} />;
  if (block.type === 'table') return <Table block={block} highlight={highlight} />;
  if (block.type === 'list') return <List block={block} highlight={highlight} />;
  if (block.type === 'quote') {
    return (
      <blockquote>
        <Blocks blocks={block.blocks} highlight={highlight} />
      </blockquote>
    );
  }
  // Headings of a payload must not appear in the outline of the page.
  return (
    <p class={block.type === 'heading' ? `payload-h${block.level}` : ''}>
      <Line text={block.text} highlight={highlight} />
    </p>
  );
}

type OfType<Type extends MarkdownBlock['type']> = {
  readonly block: Extract<MarkdownBlock, { type: Type }>;
} & Pick<Props, 'highlight'>;

function List({ block: { start, items }, highlight }: OfType<'list'>) {
  const drawn = items.map(({ isDone, blocks: [first, ...rest] }, index) => (
    <li key={index} class={isDone === undefined ? '' : 'payload-task'}>
      {isDone !== undefined && <span title={isDone ? 'done' : 'to do'}>{isDone ? '☑ ' : '☐ '}</span>}
      {first?.type === 'paragraph' ? (
        <Line text={first.text} highlight={highlight} />
      ) : (
        first && <One block={first} highlight={highlight} />
      )}
      <Blocks blocks={rest} highlight={highlight} />
    </li>
  ));
  return start === undefined ? <ul>{drawn}</ul> : <ol start={start}>{drawn}</ol>;
}

function Table({ block: { head, rows, aligns }, highlight }: OfType<'table'>) {
  const cell = (text: string) => <Line text={text} highlight={highlight} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class="scroll-x" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((text, index) => (
              <th key={index} class={alignOf(aligns[index])}>
                {cell(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column} class={alignOf(aligns[column])}>
                  {cell(text)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const alignOf = (align: ColumnAlign) => (align === undefined ? '' : `payload-${align}`);

function Line({ text, highlight }: Props) {
  const parts = useMemo(() => parseInline(text), [text]);
  return <Inlines parts={parts} highlight={highlight} />;
}

function Inlines({ parts, highlight }: { readonly parts: readonly MarkdownInline[] } & Pick<Props, 'highlight'>) {
  return (
    <>
      {parts.map((part, index) => (
        <InlinePart key={index} part={part} highlight={highlight} />
      ))}
    </>
  );
}

function InlinePart({ part, highlight }: { readonly part: MarkdownInline } & Pick<Props, 'highlight'>) {
  if (part.type === 'text') return <HighlightedText text={part.text} highlight={highlight} />;
  if (part.type === 'code') {
    return (
      <code>
        <HighlightedText text={part.text} highlight={highlight} />
      </code>
    );
  }
  const inner = <Inlines parts={part.children} highlight={highlight} />;
  if (!('href' in part)) {
    const Element = part.type;
    return <Element>{inner}</Element>;
  }
  const { href } = part;
  const label = part.type === 'image' ? <>picture: {inner}</> : inner;
  // An unsafe target is shown instead of linked.
  if (!isSafe(href)) {
    return (
      <>
        {label}{' '}
        <code class="payload-target">
          <HighlightedText text={href} highlight={highlight} />
        </code>
      </>
    );
  }
  return (
    <a href={href} title={href} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  );
}

/** Returns whether a link may be followed. */
function isSafe(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(href) && URL.canParse(href);
}
