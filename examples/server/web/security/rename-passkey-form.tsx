import type { Passkey } from 'latchkey/client';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

interface RenamePasskeyFormProps {
  passkey: Passkey;
  /** Whether the passkey was just added. If so, the form asks for a name. */
  isNew: boolean;
  onRenamed: (renamed: Passkey) => void;
  onClose: () => void;
}

/** A form in the passkey's card. Enter saves the name, Escape cancels. */
export function RenamePasskeyForm({ passkey, isNew, onRenamed, onClose }: RenamePasskeyFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [label, setLabel] = useState(passkey.label);

  // Focuses the field before the first paint, so that no keystroke is lost.
  useLayoutEffect(() => {
    input.current?.select();
    // Moves the focus back to the menu button, after the button is rendered again.
    return () => queueMicrotask(() => document.getElementById(`passkey-${passkey.id}`)?.focus());
  }, [passkey.id]);

  const rename = useAction(async () => {
    const wanted = label.trim();
    if (wanted === '') return input.current?.focus();
    if (wanted !== passkey.label) onRenamed(await auth.passkeys.rename(passkey.id, wanted));
    onClose();
  });

  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        void rename.run();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <label class={isNew ? 'field__label' : 'visually-hidden'} for={id}>
        {isNew ? t('passkeys.nameThis') : t('passkeys.nameOf', { name: passkey.label })}
      </label>
      <div class="rename__line">
        <input
          ref={input}
          id={id}
          class="input"
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
          maxLength={64}
          required
          dir="auto"
          autocomplete="off"
        />
        <Button type="submit" busy={rename.busy}>
          {t('passkeys.save')}
        </Button>
        {!isNew && (
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
      <ErrorNotice error={rename.error} />
    </form>
  );
}
