const gap = 6;
const margin = 8;

/**
 * Places an open popover below its button, aligned with the button's end. Above the button, if there is more room. CSS
 * anchor positioning would do the same, but Firefox and Safari support it only since recently.
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const { clientWidth, clientHeight } = document.documentElement;
  const isRightToLeft = getComputedStyle(button).direction === 'rtl';
  // The distance from the side where lines start, so that the position stays right if the direction changes.
  const start = isRightToLeft ? clientWidth - left - width : right - width;
  const below = bottom + gap;
  const fitsBelow = below + height <= clientHeight - margin || top < clientHeight - bottom;
  const offset = fitsBelow ? below : top - gap - height;
  // Through properties, because the content security policy forbids style attributes in HTML.
  popover.style.setProperty('--start', `${clamp(start, margin, clientWidth - width - margin)}px`);
  popover.style.setProperty('--top', `${Math.max(margin, offset)}px`);
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));
