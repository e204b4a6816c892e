import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { type AnsiColor, type AnsiSegment, parseAnsi, type TextStyle } from './ansi.ts';

/** Renders terminal output with its colours. */
export function TerminalText({
  text,
  begin,
  highlight,
}: {
  readonly text: string;
  /** Style at the end of the text before. */
  readonly begin?: TextStyle | undefined;
  readonly highlight?: string | undefined;
}) {
  const { segments } = parseAnsi(text, begin);
  const pieces = splitAtHits(segments, findHits(segments.map((segment) => segment.text).join(''), highlight));
  return (
    <>
      {pieces.map((piece, index) => (
        <Segment key={index} {...piece} isFirst={pieces[index - 1]?.overwritten !== piece.overwritten} />
      ))}
    </>
  );
}

interface Props extends AnsiSegment {
  readonly isHit: boolean;
  readonly isFirst: boolean;
}

function Segment({ text, style, overwritten, isHit, isFirst }: Props) {
  const shown = isHit ? (
    <mark>
      <VisibleText text={text} />
    </mark>
  ) : (
    <VisibleText text={text} />
  );
  const names = namesOf(style);
  return (
    <>
      {overwritten !== undefined && isFirst && (
        <span class="payload-control" title={`${overwritten} earlier states of this line; see the plain view`}>
          ↺{overwritten}
        </span>
      )}
      {names === '' && !isChosen(style.color) && !isChosen(style.background) ? (
        shown
      ) : (
        <span class={names} style={chosenColors(style)}>
          {shown}
        </span>
      )}
    </>
  );
}

function namesOf({ color, background, inverse, ...switches }: TextStyle): string {
  const on = Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [`ansi-${name}`] : []));
  const [front, back] = inverse ? [background ?? 'ground', color ?? 'text'] : [color, background];
  if (front !== undefined && !isChosen(front)) on.push(`ansi-${front}`);
  if (back !== undefined && !isChosen(back)) on.push(`ansi-on-${back}`);
  return on.join(' ');
}

type RgbColor = readonly [number, number, number];
const isChosen = (color: AnsiColor | string | undefined): color is RgbColor => Array.isArray(color);

/** Mixes the colour of a program, which does not know the theme, with the text colour for contrast. */
function chosenColors({ color, background, inverse }: TextStyle): Record<string, string> {
  const [front, back] = inverse ? [background, color] : [color, background];
  const colors: Record<string, string> = {};
  if (isChosen(back)) {
    colors.background = css(back);
    colors.color = isBright(back) ? '#000' : '#fff';
  } else if (isChosen(front)) {
    colors.color = back === undefined ? `color-mix(in oklab, ${css(front)} 38%, var(--text))` : css(front);
  }
  return colors;
}

const css = (color: RgbColor) => `rgb(${color.join(' ')})`;
const isBright = ([red, green, blue]: RgbColor) => red * 0.299 + green * 0.587 + blue * 0.114 > 140;
