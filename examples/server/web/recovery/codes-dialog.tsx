import type { RecoveryCodes } from 'latchkey/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Bad } from '../ui/verdict.tsx';
import { CodesSheet } from './codes-sheet.tsx';
import type { CodesSheet as Sheet } from './codes-text.ts';

interface Showing {
  sheet: Sheet;
  done: () => void;
}

let show: (showing: Showing) => void = () => {};

/** Shows new recovery codes. Resolves when the user confirms that they saved the codes. */
export const showCodes = (codes: RecoveryCodes, username: string): Promise<void> =>
  new Promise((resolve) =>
    show({ sheet: { ...codes, username, createdAt: new Date().toISOString() }, done: resolve }),
  );

/**
 * Rendered outside the pages, so that the codes stay visible if the user presses the back button or if the
 * session ends.
 */
export function CodesDialog() {
  const [showing, setShowing] = useState<Showing | null>(null);
  useEffect(() => {
    show = setShowing;
  }, []);
  if (!showing) return null;
  const close = () => {
    setShowing(null);
    showing.done();
  };
  return <SaveCodes sheet={showing.sheet} onSaved={close} />;
}

function SaveCodes({ sheet, onSaved }: { sheet: Sheet; onSaved: () => void }) {
  const [saved, setSaved] = useState(false);
  const [insisting, setInsisting] = useState(false);
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Makes the browser ask the user before it closes or reloads the page.
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, []);

  const close = () => {
    if (saved) return onSaved();
    setInsisting(true);
    box.current?.focus();
  };

  return (
    <Dialog
      title={t('recovery.saveTitle')}
      wide
      onClose={close}
      actions={
        <Button variant="primary" onClick={close}>
          {t('recovery.done')}
        </Button>
      }
    >
      <p class="screen-only">{t('recovery.saveLead')}</p>
      <CodesSheet sheet={sheet} />
      <div class="check screen-only">
        <label class="check__label">
          <input
            ref={box}
            type="checkbox"
            class="check__box"
            checked={saved}
            onChange={(event) => setSaved(event.currentTarget.checked)}
          />
          {t('recovery.saved')}
        </label>
        <p class="field__message" role="status">
          {insisting && !saved && <Bad>{t('recovery.saveFirst')}</Bad>}
        </p>
      </div>
    </Dialog>
  );
}
