import type { ComponentChildren } from 'preact';
import { lazy } from '../components/lazy.tsx';
import { loadConsole } from '../load-parts.ts';
import type { ShellProps } from './shell.tsx';

/** The frame of the page while the layout loads. */
const Content = ({ children }: { children: ComponentChildren }) => (
  <main class="content" id="content" tabIndex={-1}>
    {children}
  </main>
);

/** The layout of the pages for signed-in users. Visitors do not load its script and its styles. */
export const LazyShell = lazy<ShellProps>(
  async () => (await import('./shell.tsx')).Shell,
  loadConsole,
  Content,
);
