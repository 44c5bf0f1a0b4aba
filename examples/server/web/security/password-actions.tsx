import { Button } from '../components/button.tsx';

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
    <div class="row__actions">
      <Button variant="quiet" id="set-password" onClick={onSet}>
        Set new password
      </Button>
      <Button variant="danger-quiet" onClick={onRemove}>
        Remove<span class="visually-hidden"> the password</span>
      </Button>
    </div>
  );
}
