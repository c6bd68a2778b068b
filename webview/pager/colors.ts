/** Red, green and blue, 0–255. */
export type Rgb = readonly [number, number, number];

export interface Translucent {
  readonly rgb: Rgb;
  /** 0–1 */
  readonly alpha: number;
}

/** Least contrast of a text to what is behind it (WCAG AA). */
const LEAST_CONTRAST = 4.5;

/** `#rgb`, `#rrggbb`, each also with an alpha, and `rgb(…)`: the ways in which the editor writes its theme's colours. */
export function parseColor(text: string): Translucent | undefined {
  const written = text.trim();
  return written.startsWith('#') ? fromHex(written.slice(1)) : fromFunction(written);
}

function fromHex(digits: string): Translucent | undefined {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(digits)) return undefined;
  const width = digits.length < 5 ? 1 : 2;
  const [red = 0, green = 0, blue = 0, alpha = 255] = Array.from(
    { length: digits.length / width },
    (_, index) => Number.parseInt(digits.slice(index * width, (index + 1) * width).repeat(3 - width), 16),
  );
  return { rgb: [red, green, blue], alpha: alpha / 255 };
}

function fromFunction(written: string): Translucent | undefined {
  const numbers = /^rgba?\(([\d.,%/\s]+)\)$/
    .exec(written)?.[1]
    ?.match(/[\d.]+/g)
    ?.map(Number);
  const [red, green, blue, alpha = 1] = numbers ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return { rgb: [red, green, blue], alpha };
}

export function cssOf(rgb: Rgb): string {
  return `rgb(${rgb.join(', ')})`;
}

/** What is seen of `top` before `bottom`. */
export function over({ rgb, alpha }: Translucent, bottom: Rgb): Rgb {
  return mix(bottom, rgb, alpha);
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [part(0), part(1), part(2)];
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The colour, or the nearest to it that can be read before the background. */
export function readable(color: Rgb, background: Rgb): Rgb {
  const far = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, far, share);
    if (contrast(candidate, background) >= LEAST_CONTRAST) return candidate;
  }
  return far;
}

/** 1–21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
