import { Trash2 } from 'lucide-static';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

interface PasswordActionsProps {
  hasPassword: boolean;
  onSet: () => void;
  onRemove: () => void;
}

export function PasswordActions({ hasPassword, onSet, onRemove }: PasswordActionsProps) {
  if (!hasPassword) {
    return (
      <div class="row__actions row__actions--prominent">
        <Button id="set-password" onClick={onSet}>
          Set password
        </Button>
      </div>
    );
  }
  return (
    <div class="row__actions row__actions--prominent">
      <Button id="set-password" onClick={onSet}>
        Set new password
      </Button>
      <Menu
        label="Actions for the password"
        items={[
          {
            icon: Trash2,
            label: 'Remove…',
            consequence: 'You can then sign in only with a passkey',
            destructive: true,
            run: onRemove,
          },
        ]}
      />
    </div>
  );
}
