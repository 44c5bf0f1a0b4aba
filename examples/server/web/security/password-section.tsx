import type { Account } from 'latchkey/client';
import { RectangleEllipsis } from 'lucide-static';
import { useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { toast } from '../ui/toast.tsx';
import { PasswordActions } from './password-actions.tsx';
import { PasswordForm } from './password-form.tsx';
import { RemovePasswordDialog } from './remove-password-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';
import type { Sessions } from './use-sessions.ts';

export function PasswordSection({ user, sessions }: { user: Account; sessions: Sessions }) {
  const { refresh } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const [now, setNow] = useState<'reading' | 'typing' | 'removing'>('reading');

  const finish = (message: string) => {
    setNow('reading');
    toast(message);
    sessions.forgetOthers();
    void refresh();
  };

  const onSaved = () =>
    finish(t(user.hasPassword ? 'security.newPasswordWasSet' : 'security.passwordWasSet'));

  const onRemoved = () => {
    finish(t('security.passwordWasRemoved'));
    // The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
  };

  return (
    <SettingsSection
      id="password"
      title={t('security.passwordTitle')}
      lead={t('security.passwordLead')}
      headingRef={heading}
    >
      <ul class="list">
        <li class="row">
          <span class="row__icon">
            <Icon of={RectangleEllipsis} />
          </span>
          <div class="row__text">
            <h3 class="row__title">{t(user.hasPassword ? 'security.hasPassword' : 'security.noPassword')}</h3>
            <p class="row__meta">
              {t(user.hasPassword ? 'security.hasPasswordHint' : 'security.noPasswordHint')}
            </p>
            {now === 'typing' && (
              <PasswordForm user={user} onSaved={onSaved} onClose={() => setNow('reading')} />
            )}
          </div>
          {now !== 'typing' && (
            <PasswordActions
              hasPassword={user.hasPassword}
              onSet={() => setNow('typing')}
              onRemove={() => setNow('removing')}
            />
          )}
        </li>
      </ul>
      {now === 'removing' && (
        <RemovePasswordDialog user={user} onClose={() => setNow('reading')} onRemoved={onRemoved} />
      )}
    </SettingsSection>
  );
}
