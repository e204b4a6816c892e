import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findHits } from '../parts/text-segments.ts';
import { HighlightContext, HighlightedText } from '../parts/visible-text.tsx';
import { CodeBlock } from './code.tsx';
import { type MarkdownBlock, parseMarkdown } from './markdown-blocks.ts';
import { type MarkdownInline, parseInline } from './markdown-inline.ts';

interface Props {
  readonly text: string;
}

/** Renders Markdown. Raw HTML stays text, images are links, and links may lead only to web and mail addresses. */
export function Markdown({ text }: Props) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div class="stack payload-markdown">
      <Blocks blocks={blocks} />
    </div>
  );
}

const Blocks = ({ blocks }: { readonly blocks: readonly MarkdownBlock[] }) =>
  blocks.map((block, index) => <One key={index} block={block} />);

function One({ block }: { readonly block: MarkdownBlock }) {
  if (block.type === 'rule') return <hr />;
  if (block.type === 'math') return <Formula tex={block.text} source={block.source} isDisplay />;
  if (block.type === 'code' && block.language === 'math')
    return <Formula tex={block.text} source={block.text} isDisplay />;
  if (block.type === 'code') return <CodeBlock text={block.text} language={block.language} />;
  if (block.type === 'table') return <Table {...block} />;
  if (block.type === 'list') return <List {...block} />;
  if (block.type === 'quote') {
    return (
      <blockquote>
        <Blocks blocks={block.blocks} />
      </blockquote>
    );
  }
  // Headings of a payload must not appear in the outline of the page.
  return (
    <p class={block.type === 'heading' ? `payload-h${block.level}` : ''}>
      <Line text={block.text} />
    </p>
  );
}

type BlockOf<Type extends MarkdownBlock['type']> = Extract<MarkdownBlock, { type: Type }>;

function List({ start, items }: BlockOf<'list'>) {
  const drawn = items.map(({ isDone, blocks: [first, ...rest] }, index) => (
    <li key={index} class={isDone === undefined ? '' : 'payload-check'}>
      {isDone !== undefined && <span title={isDone ? 'done' : 'to do'}>{isDone ? '☑ ' : '☐ '}</span>}
      {first?.type === 'paragraph' ? <Line text={first.text} /> : first && <One block={first} />}
      <Blocks blocks={rest} />
    </li>
  ));
  return start === undefined ? <ul>{drawn}</ul> : <ol start={start}>{drawn}</ol>;
}

function Table({ head, rows, aligns }: BlockOf<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section class="scroll-x" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((text, index) => (
              <th key={index} style={{ textAlign: aligns[index] }}>
                <Line text={text} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column} style={{ textAlign: aligns[column] }}>
                  <Line text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ text }: Props) {
  const parts = useMemo(() => parseInline(text), [text]);
  return <Inlines parts={parts} />;
}

interface FormulaProps {
  readonly tex: string;
  /** The text as it is written. */
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Length from which a formula in a line can be wider than the text. */
const WIDE_LENGTH = 60;

/** Shows TeX as MathML; as it is written until the code is loaded, if it is not valid, and if it contains a hit. */
function Formula({ tex, source, isDisplay }: FormulaProps) {
  const element = useRef<HTMLSpanElement>(null);
  const [isRendered, setRendered] = useState(false);
  const isHit = findHits(source, useContext(HighlightContext), 1).length > 0;
  useEffect(() => {
    let isCurrent = true;
    import('./render-math.ts').then(
      ({ renderMath }) => isCurrent && element.current && setRendered(renderMath(tex, isDisplay, element.current)),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [tex, isDisplay]);
  const isShown = isRendered && !isHit;
  const isWide = isDisplay || tex.length > WIDE_LENGTH;
  const about = isWide && { role: 'group' as const, 'aria-label': 'Formula', tabIndex: 0 };
  return (
    <span
      class={`payload-math ${isWide ? 'scroll-x' : ''} ${isDisplay ? 'payload-display' : ''}`}
      title={source}
      {...about}
    >
      <span ref={element} hidden={!isShown} />
      {!isShown && (
        <code>
          <HighlightedText text={source} />
        </code>
      )}
    </span>
  );
}

const Inlines = ({ parts }: { readonly parts: readonly MarkdownInline[] }) =>
  parts.map((part, index) => <InlinePart key={index} part={part} />);

function InlinePart({ part }: { readonly part: MarkdownInline }) {
  if (part.type === 'text') return <HighlightedText text={part.text} />;
  if (part.type === 'math') return <Formula tex={part.text} source={part.source} isDisplay={part.isDisplay} />;
  if (part.type === 'code') {
    return (
      <code>
        <HighlightedText text={part.text} />
      </code>
    );
  }
  const inner = <Inlines parts={part.children} />;
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
          <HighlightedText text={href} />
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
const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href) && URL.canParse(href);
