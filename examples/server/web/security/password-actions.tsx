import { Trash2 } from 'lucide-static';
import { t } from '../messages/t.tsx';
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
          {t('security.setPassword')}
        </Button>
      </div>
    );
  }
  return (
    <div class="row__actions row__actions--prominent">
      <Button id="set-password" onClick={onSet}>
        {t('security.setNewPassword')}
      </Button>
      <Menu
        label={t('security.passwordActions')}
        items={[
          {
            icon: Trash2,
            label: t('security.remove'),
            consequence: t('security.removePasswordConsequence'),
            destructive: true,
            run: onRemove,
          },
        ]}
      />
    </div>
  );
}
