import type { RecoveryCodesStatus } from 'latchkey/client';
import { Ban, Ticket, TriangleAlert } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { fewCodes } from '../recovery/codes-left.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Pips } from '../ui/pips.tsx';
import { Time } from '../ui/time.tsx';

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
      <span class="row__icon">{isWarning ? <Icon of={TriangleAlert} /> : <Icon of={Ticket} />}</span>
      <div class="row__text">
        <h3 class="row__title">
          {remaining > 0 ? `${remaining} of ${total} codes left` : 'No recovery codes'}
        </h3>
        {remaining > 0 && <Pips left={remaining} total={total} />}
        <p class="row__meta">{advice(codes)}</p>
        {generatedAt && remaining > 0 && (
          <p class="row__meta row__facts">
            <span>
              Created <Time at={generatedAt} />
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
        <div class="row__actions row__actions--prominent">
          <Button onClick={onReplace}>Create new codes</Button>
          <Menu
            label="Actions for the recovery codes"
            items={[
              {
                icon: Ban,
                label: 'Revoke…',
                consequence: 'All codes stop working',
                destructive: true,
                run: onRevoke,
              },
            ]}
          />
        </div>
      ) : (
        <div class="row__actions row__actions--prominent">
          <Button busy={busy} onClick={onGenerate}>
            Create recovery codes
          </Button>
        </div>
      )}
    </li>
  );
}

function advice({ total, remaining }: RecoveryCodesStatus): string {
  if (remaining > fewCodes) return 'Keep the codes where you can access them without your devices.';
  if (remaining > 0) return 'Create new codes before you run out.';
  return total > 0
    ? 'All codes are used or expired. Create new codes, in case you lose all passkeys.'
    : 'Create recovery codes now. If you lose all passkeys, you can recover your account with a code.';
}
