import { useContext } from 'preact/hooks';
import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { HighlightContext, TextPiece } from '../parts/visible-text.tsx';
import { type AnsiColor, type AnsiSegment, parseAnsi, type TextStyle } from './ansi.ts';

interface TerminalTextProps {
  readonly text: string;
  /** Style at the end of the text before. */
  readonly begin?: TextStyle | undefined;
}

/** Renders terminal output with its colours. */
export function TerminalText({ text, begin }: TerminalTextProps) {
  const { segments } = parseAnsi(text, begin);
  const highlight = useContext(HighlightContext);
  const pieces = splitAtHits(segments, findHits(segments.map((segment) => segment.text).join(''), highlight));
  return pieces.map((piece, index) => (
    <Segment key={index} {...piece} isFirst={pieces[index - 1]?.overwritten !== piece.overwritten} />
  ));
}

interface Props extends AnsiSegment {
  readonly isHit: boolean;
  readonly isFirst: boolean;
}

function Segment({ text, style, overwritten, isHit, isFirst }: Props) {
  const shown = <TextPiece text={text} isHit={isHit} />;
  const css = { ...fontOf(style), ...cssOf(style) };
  return (
    <>
      {overwritten !== undefined && isFirst && (
        <span class="payload-control" title={`${overwritten} earlier states of this line; see the plain view`}>
          ↺{overwritten}
        </span>
      )}
      {Object.keys(css).length === 0 ? shown : <span style={css}>{shown}</span>}
    </>
  );
}

const fontOf = ({ bold, dim, italic, underline, strike }: TextStyle): Record<string, string> => ({
  ...(bold && { fontWeight: '700' }),
  ...(dim && { opacity: '0.75' }),
  ...(italic && { fontStyle: 'italic' }),
  ...(underline && { textDecoration: 'underline' }),
  ...(strike && { textDecoration: 'line-through' }),
});

type RgbColor = readonly [number, number, number];
const isRgb = (color: AnsiColor | 'text' | 'ground' | undefined): color is RgbColor => Array.isArray(color);

/** Variables for the eight colours of the theme; the bright ones are the same, except for grey. */
const COLORS = ['text', 'bad', 'good', 'warn', 'accent', 'purple', 'cyan', 'text'];
const GREY = 8;

/** Returns the colours of a style. Programs do not know the theme, so their RGB colours are mixed for contrast. */
function cssOf({ color, background, inverse }: TextStyle): Record<string, string> {
  const front = inverse ? (background ?? 'ground') : color;
  const back = inverse ? (color ?? 'text') : background;
  if (isRgb(back)) return { background: rgb(back), color: isBright(back) ? '#000' : '#fff' };
  const css: Record<string, string> = {};
  if (back !== undefined) css.background = back === 'text' ? 'var(--text)' : `var(--ansi-on-${back % COLORS.length})`;
  if (isRgb(front)) {
    const isOnGround = (inverse ? color : background) === undefined;
    css.color = isOnGround ? `color-mix(in oklab, ${rgb(front)} 38%, var(--text))` : rgb(front);
  } else if (front === 'ground') css.color = 'var(--ground)';
  else if (back !== undefined) css.color = 'var(--text)';
  else if (front !== undefined) css.color = `var(--${front === GREY ? 'muted' : COLORS[front % COLORS.length]})`;
  return css;
}

const rgb = (color: RgbColor) => `rgb(${color.join(' ')})`;
const isBright = ([red, green, blue]: RgbColor) => red * 0.299 + green * 0.587 + blue * 0.114 > 140;
