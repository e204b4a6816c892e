import { PNG } from 'pngjs';

// Local names, because they are called for every pixel.
const { ceil, floor, max, min, round, sqrt } = Math;

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];
export type Point = readonly [x: number, y: number];

/** An image to draw on, with anti-aliasing. Lengths are in pixels, the origin is the top left corner. */
export type Canvas = {
  /** Draws a line with round ends; a line from a point to itself is a disc. @param opacity 0 to 1 (default). */
  line(from: Point, to: Point, width: number, colour: Colour, opacity?: number): void;
  /** Draws a rectangle around its centre, with round corners. */
  box(centre: Point, width: number, height: number, radius: number, colour: Colour): void;
  /** Encodes the image as PNG. */
  png(): Uint8Array;
};

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const image = new PNG({ width, height });
  const { data } = image;
  data.fill(Buffer.from([...background, 255]));

  /** Paints all pixels within `radius` of the shape between two corners, by its `distance` function. */
  const paint = (from: Point, to: Point, radius: number, distance: Distance, colour: Colour, opacity = 1) => {
    const [left, right] = span(from[0], to[0], radius, width);
    const [top, bottom] = span(from[1], to[1], radius, height);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        // A pixel on the edge is covered in part (anti-aliasing).
        const coverage = min(1, radius + 0.5 - distance(x + 0.5, y + 0.5)) * opacity;
        if (coverage <= 0) continue;
        blend(data, (y * width + x) * 4, colour, coverage);
      }
    }
  };

  return {
    line: (from, to, thickness, colour, opacity) =>
      paint(from, to, thickness / 2, distanceToSegment(from, to), colour, opacity),
    box: ([x, y], wide, high, radius, colour) => {
      const from: Point = [x - wide / 2 + radius, y - high / 2 + radius];
      const to: Point = [x + wide / 2 - radius, y + high / 2 - radius];
      paint(from, to, radius, distanceToBox(from, to), colour);
    },
    // For large flat areas, the simplest filter and strategy are the fastest and produce the smallest file.
    png: () => PNG.sync.write(image, { filterType: 0, deflateStrategy: 0 }),
  };
}

function blend(data: Buffer, byte: number, [red, green, blue]: Colour, opacity: number): void {
  data[byte] = mix(data[byte], red, opacity);
  data[byte + 1] = mix(data[byte + 1], green, opacity);
  data[byte + 2] = mix(data[byte + 2], blue, opacity);
}

const mix = (below = 0, above: number, opacity: number) => round(below + (above - below) * opacity);

type Distance = (x: number, y: number) => number;

function distanceToSegment([fromX, fromY]: Point, [toX, toY]: Point): Distance {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const length = alongX ** 2 + alongY ** 2 || 1;
  return (x, y) => {
    const part = min(1, max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / length));
    return sqrt((x - fromX - part * alongX) ** 2 + (y - fromY - part * alongY) ** 2);
  };
}

function distanceToBox([left, top]: Point, [right, bottom]: Point): Distance {
  return (x, y) => sqrt(max(left - x, 0, x - right) ** 2 + max(top - y, 0, y - bottom) ** 2);
}

/** The range of pixels from `a` to `b`, extended by a radius and clipped to the image. */
function span(a: number, b: number, radius: number, limit: number): [first: number, end: number] {
  return [max(0, floor(min(a, b) - radius - 1)), min(limit, ceil(max(a, b) + radius + 1))];
}
