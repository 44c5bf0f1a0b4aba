import { useEffect, useState } from 'preact/hooks';
import { loadConsole } from '../load-parts.ts';

type Part = typeof import('./palette-part.ts');

let loaded: Part | null = null;

/**
 * The script of the command palette and of the help, with their messages. Unlike `loadScript`, this never reloads the
 * document, because a form of the page can contain typed text.
 */
export function useLazyPart(): Part | 'loading' | 'failed' {
  const [part, setPart] = useState<Part | 'loading' | 'failed'>(loaded ?? 'loading');
  useEffect(() => {
    if (loaded) return;
    Promise.all([import('./palette-part.ts'), loadConsole()]).then(
      ([script]) => {
        loaded = script;
        setPart(script);
      },
      () => setPart('failed'),
    );
  }, []);
  return part;
}
