import type { Color, ColorName } from 'ansi-sequence-parser';
import { createColorPalette, namedColors } from 'ansi-sequence-parser';
import type { Rgb } from './colors.ts';
import { cssOf, mix, over, parseColor, readable } from './colors.ts';
import type { Look } from './terminal-row.ts';

export type SpanColors = { readonly color?: string; readonly backgroundColor?: string };

/** The colours of the editor's theme as they are now; a new one where the theme changes. */
export interface TerminalTheme {
  readonly colorsOf: (look: Look) => SpanColors;
  /** of the text of a match, as custom properties */
  readonly matchColors: Readonly<Record<string, string>>;
}

/** How far faint text goes towards its background. */
const DIM_SHARE = 0.35;

const FOREGROUND = '--vscode-editor-foreground';
const BACKGROUND = '--vscode-editor-background';

/**
 * Programs print for a dark screen and a theme is light, or the other way round: a text that could not be read is moved
 * away from its background until it can. Where a colour is left as it is, it stays the theme's variable.
 */
export function terminalTheme(root: Element): TerminalTheme {
  const style = getComputedStyle(root);
  const themeColor = (name: string) => parseColor(style.getPropertyValue(name));
  const page = themeColor(BACKGROUND)?.rgb;
  const text = themeColor(FOREGROUND)?.rgb;
  if (page === undefined || text === undefined) return { colorsOf: plainColors, matchColors: {} };
  const rgbOf = (color: Color): Rgb | undefined => {
    const name = nameOf(color);
    const found = name === undefined ? parseColor(tableColor(color)) : themeColor(variableOf(name));
    return found && over(found, page);
  };
  const judge = (look: Look): SpanColors => {
    const { foreground, background } = sides(look);
    const plain = plainColors(look);
    const behind = (background === BACKGROUND ? page : resolve(background)) ?? page;
    const wanted = resolve(foreground) ?? text;
    const meant = look.decorations.has('dim') ? mix(wanted, behind, DIM_SHARE) : wanted;
    const shown = readable(meant, behind);
    const isAsMeant = shown.every((part, index) => part === wanted[index]);
    return isAsMeant ? plain : { ...plain, color: cssOf(shown) };
  };
  const resolve = (side: Side) => (typeof side === 'string' ? themeColor(side)?.rgb : rgbOf(side));
  const matchColor = (name: string) => {
    const background = themeColor(name);
    return background === undefined ? cssOf(text) : cssOf(readable(text, over(background, page)));
  };
  return {
    colorsOf: remembered(judge),
    matchColors: {
      '--match-color': matchColor('--vscode-editor-findMatchHighlightBackground'),
      '--current-match-color': matchColor('--vscode-editor-findMatchBackground'),
    },
  };
}

/** A colour of the output, or the theme variable that stands for none. */
type Side = Color | typeof FOREGROUND | typeof BACKGROUND;

function sides(look: Look): { readonly foreground: Side; readonly background: Side } {
  const foreground = look.foreground ?? FOREGROUND;
  const background = look.background ?? BACKGROUND;
  return look.decorations.has('reverse')
    ? { foreground: background, background: foreground }
    : { foreground, background };
}

function plainColors(look: Look): SpanColors {
  const { foreground, background } = sides(look);
  return {
    ...(foreground !== FOREGROUND && { color: cssOfSide(foreground) }),
    ...(background !== BACKGROUND && { backgroundColor: cssOfSide(background) }),
  };
}

function cssOfSide(side: Side): string {
  if (typeof side === 'string') return `var(${side})`;
  const name = nameOf(side);
  return name === undefined ? tableColor(side) : `var(${variableOf(name)})`;
}

function nameOf(color: Color): ColorName | undefined {
  if (color.type === 'named') return color.name;
  return color.type === 'table' ? namedColors[color.index] : undefined;
}

function variableOf(name: ColorName): string {
  return `--vscode-terminal-ansi${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const palette = createColorPalette();

/** Of the 256 colours or any other; a number that is out of range is no colour. */
function tableColor(color: Color): string {
  return color.type === 'table' && !(color.index <= 255) ? '' : palette.value(color);
}

/** There are few looks in an output, and many spans. */
function remembered(judge: (look: Look) => SpanColors): (look: Look) => SpanColors {
  const known = new Map<string, SpanColors>();
  return (look) => {
    const { foreground, background, decorations } = look;
    const isDim = decorations.has('dim');
    const isReversed = decorations.has('reverse');
    if (foreground === null && background === null && !isDim && !isReversed) return NO_COLORS;
    const key = JSON.stringify([foreground, background, isDim, isReversed]);
    const found = known.get(key) ?? judge(look);
    known.set(key, found);
    return found;
  };
}

const NO_COLORS: SpanColors = {};
