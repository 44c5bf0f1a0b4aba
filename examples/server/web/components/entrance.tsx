import type { ComponentChildren } from 'preact';
import { BrandMark } from '../brand/mark.tsx';

/** The layout of pages without navigation: the logo and one narrow column. */
export function Entrance({ children }: { children: ComponentChildren }) {
  return (
    <main class="entrance" id="content" tabIndex={-1}>
      <div class="entrance__mark">
        <BrandMark />
      </div>
      {children}
    </main>
  );
}
