import type { ComponentChildren } from 'preact';
import { LogoMark } from './icons.tsx';

/** The frame of the pages for those outside: the mark, and one narrow column. */
export function Entrance({ children }: { children: ComponentChildren }) {
  return (
    <main class="entrance" id="content" tabIndex={-1}>
      <div class="entrance__mark">
        <LogoMark />
      </div>
      {children}
    </main>
  );
}
