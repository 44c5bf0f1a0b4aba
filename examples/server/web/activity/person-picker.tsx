import type { User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Person } from '../ui/person.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useSettled } from '../use-settled.ts';

const mostSuggestions = 8;

interface PersonPickerProps {
  onChoose: (user: User) => void;
  /** Called with the typed name if no user matches it and the user presses Enter. */
  onName: (name: string) => void;
}

/** A field that finds users by a part of the username or of the display name. */
export function PersonPicker({ onChoose, onName }: PersonPickerProps) {
  const [typed, setTyped] = useState('');
  const { users, isComplete, error } = useUsers(typed.trim());
  const isUnknown = isComplete && users.length === 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onName(typed.trim());
      }}
    >
      <Combobox
        label={t('activity.pickUser')}
        name="user"
        value={typed}
        onValue={setTyped}
        maxLength={64}
        placeholder={t('activity.pickPlaceholder')}
        options={users.map((user) => ({
          id: user.id,
          content: <Person username={user.username} displayName={user.displayName} />,
        }))}
        onChoose={(id) => {
          const chosen = users.find((user) => user.id === id);
          if (chosen) onChoose(chosen);
        }}
        status={t('activity.pickFound', { count: users.length })}
        invalid={isUnknown}
        message={isUnknown && <Bad>{t('activity.noUserMatches', { name: typed.trim() })}</Bad>}
      />
      <ErrorNotice error={error} />
    </form>
  );
}

interface Found {
  /** The text that the users match. */
  search: string;
  users: User[];
  error: unknown;
}

const nothing: Found = { search: '', users: [], error: null };

function useUsers(search: string) {
  const settled = useSettled(search);
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (settled === '') return setFound(nothing);
    const controller = new AbortController();
    const { signal } = controller;
    const find = async () => {
      try {
        const { users } = await auth.users.list({ search: settled, limit: mostSuggestions }, { signal });
        if (!signal.aborted) setFound({ search: settled, users, error: null });
      } catch (error) {
        if (!signal.aborted) setFound({ search: settled, users: [], error });
      }
    };
    void find();
    return () => controller.abort();
  }, [settled]);
  const isComplete = search !== '' && found.search === search && found.error === null;
  // Enter must not choose a user who matches only the text that was typed before.
  return { users: found.search === search ? found.users : [], isComplete, error: found.error };
}
