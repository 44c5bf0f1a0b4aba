import type { RecoveryCodesStatus } from 'latchkey/client';
import { Ban, Ticket, TriangleAlert } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { type PlainKey, T, t } from '../messages/t.tsx';
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
    <li class={`row ${isWarning ? 'row--warning' : 'row--good'}`}>
      <span class="row__icon">{isWarning ? <Icon of={TriangleAlert} /> : <Icon of={Ticket} />}</span>
      <div class="row__text">
        <h3 class="row__title">
          {remaining > 0 ? t('security.codesLeft', { remaining, total }) : t('security.noCodes')}
        </h3>
        {remaining > 0 && <Pips left={remaining} total={total} />}
        <p class="row__meta">{t(adviceOf(codes))}</p>
        {generatedAt && remaining > 0 && (
          <p class="row__meta row__facts">
            <span>
              <T id="security.codesCreatedOn" values={{ when: <Time at={generatedAt} /> }} />
            </span>
            {expiresAt && (
              <span>
                <T id="security.codesExpireOn" values={{ when: <Time at={expiresAt} /> }} />
              </span>
            )}
          </p>
        )}
      </div>
      {remaining > 0 ? (
        <div class="row__actions row__actions--prominent">
          <Button onClick={onReplace}>{t('security.createNewCodes')}</Button>
          <Menu
            label={t('security.codesActions')}
            items={[
              {
                icon: Ban,
                label: t('security.revoke'),
                consequence: t('security.revokeConsequence'),
                destructive: true,
                run: onRevoke,
              },
            ]}
          />
        </div>
      ) : (
        <div class="row__actions row__actions--prominent">
          <Button busy={busy} onClick={onGenerate}>
            {t('security.createCodes')}
          </Button>
        </div>
      )}
    </li>
  );
}

function adviceOf({ total, remaining }: RecoveryCodesStatus): PlainKey {
  if (remaining > fewCodes) return 'security.codesKeep';
  if (remaining > 0) return 'security.codesFew';
  return total > 0 ? 'security.codesUsedUp' : 'security.codesNone';
}
