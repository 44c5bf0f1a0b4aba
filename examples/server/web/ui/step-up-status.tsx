import { FingerprintPattern } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

/** Says inside a dialog that the passkey prompt is open. Screen readers announce the change. */
export const StepUpStatus = ({ isWaiting }: { isWaiting: boolean }) => (
  <div role="status">
    {isWaiting && (
      <p class="step-up-status">
        <Icon of={FingerprintPattern} />
        {t('entrance.waitingForPasskey')}
      </p>
    )}
  </div>
);
