import type { OwnEventFilters } from 'latchkey/client';
import { type PlainKey, t } from '../messages/t.tsx';
import { Chip, Chips } from '../ui/chip.tsx';

interface View {
  id: string;
  name: PlainKey;
  filters: OwnEventFilters;
}

const everything: View = { id: '', name: 'activity.ownAll', filters: {} };

const views: readonly View[] = [
  everything,
  {
    id: 'sign-ins',
    name: 'activity.ownSignIns',
    filters: {
      event: ['passkey.login', 'password.login', 'recovery_code.use', 'recovery_link.use', 'account.signup'],
      outcome: 'success',
    },
  },
  {
    id: 'methods',
    name: 'activity.ownMethods',
    filters: {
      event: [
        'passkey.add',
        'passkey.rename',
        'passkey.remove',
        'password.add',
        'password.replace',
        'password.remove',
        'recovery_code.generate',
        'recovery_code.revoke',
        'recovery.',
      ],
      outcome: 'success',
    },
  },
  {
    id: 'help',
    name: 'activity.ownHelp',
    filters: {
      event: [
        'user.',
        'recovery_link.create',
        'recovery_link.cancel',
        'impersonation.',
        'invitation.accept',
        'organization_invitation.accept',
        'member.',
        'superadmin.bootstrap',
      ],
      outcome: 'success',
    },
  },
  { id: 'refused', name: 'activity.ownRefused', filters: { outcome: 'failure' } },
];

/** The view with this id from the URL. An unknown id selects all events. */
export const viewOf = (id: string | undefined): View => views.find((view) => view.id === id) ?? everything;

export const OwnFilters = ({ view, onView }: { view: View; onView: (id: string) => void }) => (
  <Chips label={t('activity.ownFilter')}>
    {views.map(({ id, name }) => (
      <Chip key={id} isOn={id === view.id} onToggle={() => onView(id)}>
        {t(name)}
      </Chip>
    ))}
  </Chips>
);
