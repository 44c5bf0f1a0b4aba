/** The scripts of the pages. Each is loaded when one of its pages is first opened. */
export const own = () => import('./own-pages.ts');
export const administration = () => import('./administration-pages.ts');
export const link = () => import('./link-pages.ts');

/** Starts to load the script of a page for signed-in users. The page reports failures. */
export const startLoadingPage = (path: string): void =>
  void (path.startsWith('/admin/') ? administration() : own()).catch(() => {});
