import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';

/** Changes the display name. An empty field removes it. */
export function ProfileForm({ user }: { user: Account }) {
  const { refresh } = useAccount();
  const saved = user.displayName ?? '';
  const [displayName, setDisplayName] = useState(saved);
  const isChanged = displayName.trim() !== saved;

  const write = async (next: string | null) => {
    const changed = await auth.updateAccount({ displayName: next });
    setDisplayName(changed.displayName ?? '');
    await refresh();
  };
  const save = useAction(async () => {
    const before = user.displayName;
    await write(displayName.trim() || null);
    toast(t('profile.saved'), isChanged ? () => write(before) : undefined);
  });

  const onSubmit = (event: Event) => {
    event.preventDefault();
    void save.run();
  };
  const change = (value: string) => {
    setDisplayName(value);
    save.forget();
  };

  return (
    <Card>
      <form class="form" onSubmit={onSubmit}>
        <ErrorNotice error={save.error} />
        <div class="profile__name">
          <Avatar name={displayName.trim() || user.username} seed={user.username} size="large" />
          <div>
            <p class="profile__shown">
              <bdi>{displayName.trim() || user.username}</bdi>
            </p>
            <p class="hint">{t('profile.preview')}</p>
          </div>
        </div>
        <Field
          label={t('profile.displayName')}
          optional
          name="name"
          value={displayName}
          onValue={change}
          autocomplete="name"
          maxLength={64}
        />
        <div class="profile__actions">
          <Button type="submit" variant="primary" busy={save.busy}>
            {t('common.save')}
          </Button>
          {isChanged && <p class="hint">{t('profile.unsaved')}</p>}
        </div>
      </form>
    </Card>
  );
}
