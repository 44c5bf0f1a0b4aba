import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { announce } from '../components/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';

/** Changes the display name. An empty field removes it. */
export function ProfileForm({ user }: { user: Account }) {
  const { refresh } = useAccount();
  const [displayName, setDisplayName] = useState(user.displayName ?? '');
  const [saved, setSaved] = useState(false);

  const save = useAction(async () => {
    const changed = await auth.updateAccount({ displayName: displayName.trim() || null });
    setDisplayName(changed.displayName ?? '');
    await refresh();
    setSaved(true);
    announce('Your display name is saved.');
  });

  const onSubmit = (event: Event) => {
    event.preventDefault();
    void save.run();
  };
  const change = (value: string) => {
    setDisplayName(value);
    setSaved(false);
    save.forget();
  };

  return (
    <form class="form" onSubmit={onSubmit}>
      <ErrorNotice error={save.error} />
      <Field
        label="Display name"
        optional
        name="name"
        value={displayName}
        onValue={change}
        autocomplete="name"
        maxLength={64}
        message={saved && 'Saved.'}
      />
      <Button type="submit" variant="primary" busy={save.busy}>
        Save
      </Button>
    </form>
  );
}
