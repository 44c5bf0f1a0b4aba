import { T, t } from '../messages/t.tsx';
import { Bad, Good } from '../ui/verdict.tsx';
import { type Availability, brokenRule } from '../use-username-availability.ts';

interface UsernameVerdictProps {
  availability: Availability;
  typed: string;
  /** The form was submitted, so hints are shown as errors. */
  insist: boolean;
}

/** The message below the username field. */
export function UsernameVerdict({ availability, typed, insist }: UsernameVerdictProps) {
  switch (availability.status) {
    case 'empty':
      return insist ? <Bad>{t('entrance.chooseUsername')}</Bad> : t('entrance.usernameRule');
    case 'short':
      return insist ? <Bad>{t('entrance.useThreeCharacters')}</Bad> : t('entrance.threeCharacters');
    case 'checking':
      return t('entrance.checking');
    case 'unknown':
      return t('entrance.notChecked');
    case 'available':
      return (
        <Good>
          {availability.username === typed.trim() ? (
            t('entrance.available')
          ) : (
            <T id="entrance.availableAs" values={named(availability)} />
          )}
        </Good>
      );
    case 'taken':
      return <BadName id="entrance.taken" {...availability} />;
    case 'look_alike':
      return <BadName id="entrance.lookAlike" {...availability} />;
    case 'reserved':
      return <BadName id="entrance.reserved" {...availability} />;
    default:
      return <Bad>{brokenRule(availability.username)}</Bad>;
  }
}

interface BadNameProps {
  id: 'entrance.taken' | 'entrance.lookAlike' | 'entrance.reserved';
  username: string;
}

const BadName = ({ id, username }: BadNameProps) => (
  <Bad>
    <T id={id} values={named({ username })} />
  </Bad>
);

const named = ({ username }: { username: string }) => ({ username: <strong>{username}</strong> });
