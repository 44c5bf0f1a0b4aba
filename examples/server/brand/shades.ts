import { black, type Color, formatColor, mix, mixUntil, white } from './color.ts';

// The surfaces of web/styles/tokens.css on which the shades are used.
const lightFill: Color = [0xeb, 0xef, 0xec];
const darkSurface: Color = [0x1b, 0x2b, 0x25];

/** The minimum contrast of text, a little above the 4.5 that WCAG 2.2 AA requires. */
const forText = 5.3;

/** The page colors that depend on the setting BRAND_ACCENT, each for light and for dark. */
export function shadesOf(accent: Color): Record<string, readonly [light: Color, dark: Color]> {
  const soft = mix(white, accent, 0.11);
  const softInDark = mix(darkSurface, accent, 0.3);
  const inDark = mixUntil(accent, white, 7, darkSurface);
  const rail = mixUntil(mix(accent, black, 0.25), black, 10.5, white);
  const railInDark = mix(rail, black, 0.35);
  return {
    green: [accent, inDark],
    'green-hover': [mix(accent, black, 0.2), mix(inDark, white, 0.25)],
    'on-green': [white, mixUntil(mix(accent, black, 0.6), black, 7, inDark)],
    'green-ink': [
      mixUntil(accent, black, forText, lightFill, soft),
      mixUntil(inDark, white, forText, softInDark),
    ],
    'green-soft': [soft, softInDark],
    rail: [rail, railInDark],
    'rail-raised': [mix(rail, white, 0.09), mix(railInDark, white, 0.09)],
    'rail-line': [mix(rail, white, 0.14), mix(railInDark, white, 0.14)],
    'rail-ink': [mix(white, rail, 0.04), mix(white, rail, 0.08)],
    'rail-ink-2': [mix(white, rail, 0.22), mix(white, rail, 0.3)],
    door: [mix(rail, white, 0.03), mix(rail, black, 0.12)],
  };
}

/** A style sheet that overrides the color tokens. */
export function styleOf(accent: Color): string {
  const tokens = Object.entries(shadesOf(accent)).map(
    ([name, [light, dark]]) => `--${name}: light-dark(${formatColor(light)}, ${formatColor(dark)});`,
  );
  return `@layer tokens { :root { ${tokens.join(' ')} } }\n`;
}
