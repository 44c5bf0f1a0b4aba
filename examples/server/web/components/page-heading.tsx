import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

let isFirstPage = true;

/** Gives the focus to the page's h1, once a dialog has closed: until then nothing outside of that can take it. */
export const focusPageHeading = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.page-heading')?.focus());

/** The page's h1. Takes the focus when one comes from another page, so that a screen reader reads it out. */
export function PageHeading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Latchkey`;
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [title]);
  return (
    <h1 class="page-heading" tabIndex={-1} ref={heading}>
      {children ?? title}
    </h1>
  );
}
