import type { User } from 'latchkey/client';
import { ChevronRight } from 'lucide-static';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../icons/icon.tsx';
import { capabilityScopes, impersonation } from '../site-settings.ts';
import { actionsFor, type UserAction } from './user-actions.ts';

const choices: Record<UserAction, { title: string; hint: string }> = {
  role: { title: 'Change role', hint: 'The role decides what the user can do in the whole service.' },
  recovery: { title: 'Create recovery link', hint: 'For a user who has lost all passkeys.' },
  sessions: { title: 'End all sessions', hint: 'For a user whose device was lost or stolen.' },
  impersonate: { title: 'Use account', hint: 'See what the user sees, to help with a problem.' },
  disable: { title: 'Disable account', hint: 'Blocks sign-in and keeps all data.' },
  enable: { title: 'Enable account', hint: 'Allows sign-in again.' },
  remove: { title: 'Delete account', hint: 'Permanently deletes the account and its passkeys.' },
};

interface ChooseActionDialogProps {
  user: User;
  me: User;
  onClose: () => void;
  onChoose: (action: UserAction) => void;
}

export const ChooseActionDialog = ({ user, me, onClose, onChoose }: ChooseActionDialogProps) => (
  <Dialog title={user.username} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
    <ul class="choices">
      {actionsFor(me, user, { capabilityScopes, impersonation }).map((action) => (
        <li key={action}>
          <button type="button" class="choice" onClick={() => onChoose(action)}>
            <span class={`choice__title${action === 'remove' ? ' choice__title--danger' : ''}`}>
              {choices[action].title}
            </span>
            <span class="choice__hint">{choices[action].hint}</span>
            <Icon of={ChevronRight} />
          </button>
        </li>
      ))}
    </ul>
  </Dialog>
);
