/** A color as its red, green and blue parts from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export const white: Color = [255, 255, 255];
export const black: Color = [0, 0, 0];

/** Reads `#rrggbb` or `#rgb`. Returns null for other text. */
export function parseColor(text: string): Color | null {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return null;
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

export const formatColor = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** @param share the share of `other`, from 0 to 1 */
export function mix(color: Color, other: Color, share: number): Color {
  const [red, green, blue] = color;
  const [otherRed, otherGreen, otherBlue] = other;
  const blend = (part: number, otherPart: number) => Math.round(part + (otherPart - part) * share);
  return [blend(red, otherRed), blend(green, otherGreen), blend(blue, otherBlue)];
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes `other` into the color until the contrast with each background is at least `least`. */
export function mixUntil(color: Color, other: Color, least: number, ...backgrounds: Color[]): Color {
  for (let share = 0; share < 1; share += 0.01) {
    const mixed = mix(color, other, share);
    if (backgrounds.every((background) => contrast(mixed, background) >= least)) return mixed;
  }
  return other;
}
