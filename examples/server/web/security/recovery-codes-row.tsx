import type { RecoveryCodesStatus } from 'latchkey/client';
import { Button } from '../components/button.tsx';
import { AlertIcon, CodesIcon } from '../components/icons.tsx';
import { Time } from '../components/time.tsx';
import { fewCodes } from '../recovery/codes-left.ts';

interface RecoveryCodesRowProps {
  codes: RecoveryCodesStatus;
  busy: boolean;
  onGenerate: () => void;
  onReplace: () => void;
  onRevoke: () => void;
}

export function RecoveryCodesRow({ codes, busy, onGenerate, onReplace, onRevoke }: RecoveryCodesRowProps) {
  const { total, remaining, generatedAt, expiresAt } = codes;
  const isWarning = remaining <= fewCodes;
  return (
    <li class={`row${isWarning ? ' row--warning' : ''}`}>
      <span class="row__icon">{isWarning ? <AlertIcon /> : <CodesIcon />}</span>
      <div class="row__text">
        <h3 class="row__title">
          {remaining > 0 ? `${remaining} of ${total} codes left` : 'No recovery codes'}
        </h3>
        <p class="row__meta">{advice(codes)}</p>
        {generatedAt && remaining > 0 && (
          <p class="row__meta row__facts">
            <span>
              Made <Time at={generatedAt} />
            </span>
            {expiresAt && (
              <span>
                Expire <Time at={expiresAt} />
              </span>
            )}
          </p>
        )}
      </div>
      {remaining > 0 ? (
        <div class="row__actions">
          <Button variant="quiet" onClick={onReplace}>
            Replace<span class="visually-hidden"> the recovery codes</span>
          </Button>
          <Button variant="danger-quiet" onClick={onRevoke}>
            Revoke<span class="visually-hidden"> the recovery codes</span>
          </Button>
        </div>
      ) : (
        <div class="row__actions row__actions--prominent">
          <Button variant="primary" busy={busy} onClick={onGenerate}>
            Get recovery codes
          </Button>
        </div>
      )}
    </li>
  );
}

function advice({ total, remaining }: RecoveryCodesStatus): string {
  if (remaining > fewCodes) return 'Keep them where you can access them without your devices.';
  if (remaining > 0) return 'Replace them before you run out.';
  return total > 0
    ? 'All codes are used or expired. Get new ones, in case you lose your passkeys.'
    : 'Get recovery codes now. Without them, you can’t recover your account yourself if you lose your passkeys.';
}
