import type { Account } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { PartFailed } from './part-failed.tsx';
import { isShortcut } from './shortcut.ts';
import { useLazyPart } from './use-lazy-part.ts';

type Overlay = 'palette' | 'help';

let show: (overlay: Overlay) => void = () => {};

/** Opens the command palette. */
export const openPalette = (): void => show('palette');

/** Opens the dialog with the help. */
export const openHelp = (): void => show('help');

/**
 * The command palette and the help, above the pages for signed-in users. Their script is loaded when one of them is
 * first opened.
 */
export function Overlays({ user }: { user: Account }) {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const close = () => setOverlay(null);

  useEffect(() => {
    show = setOverlay;
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || event.isComposing) return;
      // While another dialog is open, the shortcut does nothing, because the user must answer the dialog first.
      if (document.querySelector('dialog[open]:not(.palette)')) return;
      event.preventDefault();
      setOverlay((now) => (now === 'palette' ? null : 'palette'));
    };
    addEventListener('keydown', onKey);
    return () => {
      show = () => {};
      removeEventListener('keydown', onKey);
    };
  }, []);

  return overlay && <Open overlay={overlay} user={user} onClose={close} />;
}

function Open({ overlay, user, onClose }: { overlay: Overlay; user: Account; onClose: () => void }) {
  const part = useLazyPart();
  if (part === 'failed') return <PartFailed onClose={onClose} />;
  if (part === 'loading') return null;
  return overlay === 'palette' ? (
    <part.Palette user={user} onClose={onClose} onHelp={openHelp} />
  ) : (
    <part.Help onClose={onClose} />
  );
}
