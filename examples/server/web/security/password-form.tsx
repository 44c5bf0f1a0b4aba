import type { Account } from 'latchkey/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { PasswordField, UsernameForPasswordManagers } from '../components/password-field.tsx';
import { type Explanation, passwordFault } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { passwordMinLength } from '../site-settings.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { lengthOf } from './password-length.ts';
import { PasswordVerdict } from './password-verdict.tsx';

const words = (): Record<string, Explanation> => ({
  ceremony_canceled: {
    tone: 'info',
    title: t('security.passwordNotSet'),
    body: t('security.notConfirmed'),
  },
});

interface PasswordFormProps {
  user: Account;
  onSaved: () => void;
  onClose: () => void;
}

/** Sets the user's first password, or replaces the password. Escape closes the form without a change. */
export function PasswordForm({ user, onSaved, onClose }: PasswordFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [insisting, setInsisting] = useState(false);

  // Focuses the field before the first paint, so that no keystroke is lost.
  useLayoutEffect(() => {
    input.current?.focus();
    // The button that opened the form is rendered again, and gets the focus back.
    return () => queueMicrotask(() => document.getElementById('set-password')?.focus());
  }, []);

  const save = useAction(async () => {
    try {
      await auth.password.set(password);
    } catch (error) {
      if (passwordFault(error)) input.current?.select();
      throw error;
    }
    onSaved();
  });
  const fault = passwordFault(save.error);

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (lengthOf(password, passwordMinLength) === 'good') void save.run();
    else input.current?.focus();
  };

  const type = (typed: string) => {
    setPassword(typed);
    // The error was about the previous password.
    save.forget();
  };

  return (
    <form class="password-form" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      {fault === null && <ErrorNotice error={save.error} words={words()} />}
      <UsernameForPasswordManagers username={user.username} />
      <PasswordField
        label={t(user.hasPassword ? 'security.newPassword' : 'security.passwordTitle')}
        value={password}
        onValue={type}
        inputRef={input}
        autocomplete="new-password"
        sending={save.busy}
        invalid={fault !== null || (insisting && lengthOf(password, passwordMinLength) !== 'good')}
        message={<PasswordVerdict password={password} fault={fault} insist={insisting} />}
      />
      <p class="hint">{t('security.passwordHint')}</p>
      <div class="password-form__actions">
        <Button type="submit" variant="primary" busy={save.busy}>
          {t(user.hasPassword ? 'security.setNewPassword' : 'security.setPassword')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
