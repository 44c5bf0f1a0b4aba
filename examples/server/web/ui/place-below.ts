const gap = 6;
const margin = 8;

/**
 * Places an open popover below its button, or above the button if there is more space. Aligns the popover with the end
 * of the button, or with its start. CSS anchor positioning would do the same, but older versions of Firefox and Safari do not support it.
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement, align: 'start' | 'end' = 'end'): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const { clientWidth, clientHeight } = document.documentElement;
  const isRightToLeft = getComputedStyle(button).direction === 'rtl';
  // The distance from the side where lines start, so that the position stays correct if the direction changes.
  const ends = isRightToLeft ? [clientWidth - right, clientWidth - left - width] : [left, right - width];
  const start = ends[align === 'start' ? 0 : 1] ?? 0;
  const below = bottom + gap;
  const fitsBelow = below + height <= clientHeight - margin || top < clientHeight - bottom;
  const offset = fitsBelow ? below : top - gap - height;
  // Sets properties, because the content security policy forbids style attributes in HTML.
  popover.style.setProperty('--start', `${clamp(start, margin, clientWidth - width - margin)}px`);
  popover.style.setProperty('--top', `${Math.max(margin, offset)}px`);
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));
