import type { User } from 'latchkey/client';
import { UserRoundPlus, X } from 'lucide-static';
import type { RefObject } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx';
import { Person } from '../ui/person.tsx';
import { useStepUpNext } from '../ui/step-up-note.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useUserSearch } from './use-user-search.ts';

/** A user to invite. */
export type Invitee = Pick<User, 'username' | 'displayName'>;

interface MemberPickerProps {
  chosen: readonly Invitee[];
  onChosen: (chosen: Invitee[]) => void;
  typed: string;
  onTyped: (typed: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
  isMissing: boolean;
}

const exact = 'exact-username';

/** A field for several users to invite. Suggests users, and also accepts the username of a user who is not suggested. */
export function MemberPicker({ chosen, onChosen, typed, onTyped, inputRef, isMissing }: MemberPickerProps) {
  // A search needs a recent authentication. Typing must not open the passkey prompt.
  const isStale = useStepUpNext(true) !== null;
  const isChosen = (username: string) => chosen.some((one) => one.username === username);
  const found = useUserSearch(typed, !isStale).filter(({ username }) => !isChosen(username));
  const username = typed.trim().toLowerCase();
  const isNew = username !== '' && !isChosen(username) && !found.some((user) => user.username === username);

  const options: ComboboxOption[] = found.map((user) => ({
    id: user.username,
    content: <Person username={user.username} displayName={user.displayName} />,
  }));
  if (isNew) options.push({ id: exact, isSeparate: true, content: <Exact username={username} /> });

  const choose = (id: string) => {
    const user = found.find((one) => one.username === id) ?? { username, displayName: null };
    onChosen([...chosen, { username: user.username, displayName: user.displayName }]);
    onTyped('');
  };
  const remove = (removed: string) => {
    onChosen(chosen.filter((one) => one.username !== removed));
    inputRef.current?.focus();
  };

  return (
    <Combobox
      label={t('organizations.usernames')}
      name="invitee"
      value={typed}
      onValue={onTyped}
      options={options}
      onChoose={choose}
      onBackspace={() => onChosen(chosen.slice(0, -1))}
      status={t('organizations.suggestions', { count: found.length })}
      chosen={chosen.map((one) => (
        <Token key={one.username} invitee={one} onRemove={() => remove(one.username)} />
      ))}
      maxLength={64}
      inputRef={inputRef}
      invalid={isMissing}
      message={messageOf(isMissing, isStale)}
    />
  );
}

function messageOf(isMissing: boolean, isStale: boolean) {
  if (isMissing) return <Bad>{t('organizations.enterUsername')}</Bad>;
  return isStale ? t('organizations.pickerStale') : t('organizations.pickerHint');
}

const Exact = ({ username }: { username: string }) => (
  <span class="picker__exact">
    <span class="picker__icon">
      <Icon of={UserRoundPlus} inline />
    </span>
    <span>
      <T id="organizations.inviteUsername" values={{ username: <bdi>{username}</bdi> }} />
    </span>
  </span>
);

function Token({ invitee: { username, displayName }, onRemove }: { invitee: Invitee; onRemove: () => void }) {
  const name = displayName ?? username;
  return (
    <span class="token" title={username}>
      <Avatar name={name} seed={username} size="small" />
      <bdi class="token__name">{name}</bdi>
      <button type="button" class="token__remove" onClick={onRemove}>
        <Icon of={X} inline />
        <span class="visually-hidden">{t('organizations.removeInvitee', { name })}</span>
      </button>
    </span>
  );
}
