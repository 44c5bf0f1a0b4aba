import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { brandName } from '../site-settings.ts';

let isFirstPage = true;

/** Focuses the page's h1 after a dialog closes. Waits for the next frame, because an open dialog keeps the focus. */
export const focusPageHeading = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.page-heading')?.focus());

/**
 * The page's h1. Gets the focus after a navigation, so that screen readers announce the new page. If the
 * title changes only because the user chose another language, the focus stays where it is.
 */
export function PageHeading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const language = useRef('');
  useLayoutEffect(() => {
    document.title = `${title} · ${brandName}`;
    const { lang } = document.documentElement;
    const isTranslated = language.current !== '' && language.current !== lang;
    language.current = lang;
    if (!isFirstPage && !isTranslated) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [title]);
  return (
    <h1 class="page-heading" tabIndex={-1} ref={heading}>
      {children ?? title}
    </h1>
  );
}
