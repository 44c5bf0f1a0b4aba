import { loadConsoleMessages, loadLinkMessages } from './messages/language.ts';

let styles: Promise<void> | null = null;

/** Loads the styles that the sign-in page does not need, once. Tries again after a failure. */
function loadStyles(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/assets/console.css';
    link.onload = () => resolve();
    link.onerror = () => {
      styles = null;
      link.remove();
      reject(new Error('console.css could not be loaded.'));
    };
    document.head.append(link);
  });
  return styles;
}

/** Loads the messages and the styles that all parts for signed-in users share. */
export const loadConsole = (): Promise<unknown> => Promise.all([loadConsoleMessages(), loadStyles()]);

/** Loads the messages and the styles that the pages of links and of recovery share. */
export const loadLink = (): Promise<unknown> => Promise.all([loadLinkMessages(), loadStyles()]);
