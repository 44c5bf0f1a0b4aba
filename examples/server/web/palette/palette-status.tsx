import { T, t } from '../messages/t.tsx';
import { useSettled } from '../use-settled.ts';
import type { People } from './use-people.ts';

interface PaletteStatusProps {
  typed: string;
  count: number;
  people: People['status'];
  /** An action is running. */
  isBusy: boolean;
}

/** The line below the list: what the search does, what it found, or which keys work. */
export function PaletteStatus({ typed, count, people, isBusy }: PaletteStatusProps) {
  const message = isBusy
    ? t('palette.working')
    : people === 'loading'
      ? t('palette.searching')
      : people === 'failed'
        ? t('palette.usersFailed')
        : count === 0
          ? t('palette.none', { query: typed.trim() })
          : '';
  // Announced only when the user pauses, so that a screen reader can finish each sentence.
  const found = useSettled(typed.trim() === '' || message ? '' : t('palette.found', { count }));
  return (
    <div class="palette__foot">
      <p class={message ? 'palette__message' : 'visually-hidden'} role="status">
        {message || found}
      </p>
      {!message && (
        <p class="palette__keys" aria-hidden="true">
          <T id="palette.keys" values={{ key: (children) => <kbd>{children}</kbd> }} />
        </p>
      )}
    </div>
  );
}
