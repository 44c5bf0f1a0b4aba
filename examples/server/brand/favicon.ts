import { type Color, formatColor } from './color.ts';
import { shadesOf } from './shades.ts';

/** Colors the Latchkey icon for the browser tab. The first color in the file is the color of the plate. */
export function colorFavicon(svg: string, accent: Color): string {
  const [plate] = shadesOf(accent).rail ?? [accent];
  return svg.replace(/#[\da-f]{6}/i, formatColor(plate));
}
