import type { ComponentChildren } from 'preact';
import { lazy } from '../components/lazy.tsx';
import { loadConsole } from '../load-console.ts';
import { startLoadingPage } from '../pages/page-scripts.ts';
import type { ShellProps } from './shell.tsx';

const Frame = ({ children }: { children: ComponentChildren }) => (
  <main class="content" id="content" tabIndex={-1}>
    {children}
  </main>
);

/** The layout of the pages for signed-in users. Visitors do not load its script and its styles. */
export const LazyShell = lazy<ShellProps>(
  async () => {
    // The page in the layout is rendered after the layout, but its script is loaded at the same time.
    startLoadingPage(location.pathname);
    return (await import('./shell.tsx')).Shell;
  },
  loadConsole,
  Frame,
);
