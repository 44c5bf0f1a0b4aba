import type { Passkey, PendingRecoveryLink, UserRecordDetails } from 'latchkey/client';
import { Link2, RectangleEllipsis, Ticket, UserRoundKey } from 'lucide-static';
import { formatMoment, formatStart } from '../dates.ts';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { PasskeyMark } from '../security/passkey-mark.tsx';
import { isSecurityKey } from '../security/security-key.ts';
import { Badge } from '../ui/badge.tsx';
import { Time } from '../ui/time.tsx';
import { CardRow, SectionCard } from './section-card.tsx';

/** How a user can sign in. */
export function MethodsCard({ details, seesSignIns }: { details: UserRecordDetails; seesSignIns: boolean }) {
  const { passkeys, hasPassword, recoveryCodesRemaining: codes, recoveryLink } = details;
  return (
    <SectionCard title={t('person.methods')}>
      <ul class="card-rows">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} seesSignIns={seesSignIns} />
        ))}
        {passkeys.length === 0 && (
          <CardRow sign={<Sign icon={UserRoundKey} isMissing />} title={t('users.noPasskey')} />
        )}
        <CardRow
          sign={<Sign icon={RectangleEllipsis} />}
          title={t(hasPassword ? 'person.password' : 'person.noPassword')}
          facts={[hasPassword && passkeys.length > 0 && t('person.passwordFallback')]}
        />
        <CardRow
          sign={<Sign icon={Ticket} isMissing={codes === 0} />}
          title={codes > 0 ? t('person.recoveryCodes', { count: codes }) : t('person.noCodes')}
          facts={[codes === 0 && t('person.noCodesHint')]}
        />
        {recoveryLink && <LinkRow link={recoveryLink} />}
      </ul>
    </SectionCard>
  );
}

function PasskeyRow({ passkey, seesSignIns }: { passkey: Passkey; seesSignIns: boolean }) {
  const { label, provider, attested, createdAt, lastUsedAt, lastUsedUserAgent, backedUp } = passkey;
  return (
    <CardRow
      sign={
        <span class="passkey-logo">
          <PasskeyMark passkey={passkey} />
        </span>
      }
      title={<bdi>{label}</bdi>}
      facts={[
        provider !== null &&
          t(attested ? 'person.modelAttested' : 'person.modelClaimed', { model: provider }),
        seesSignIns &&
          (lastUsedAt ? <LastUse at={lastUsedAt} userAgent={lastUsedUserAgent} /> : t('person.notUsed')),
        <T key="added" id="person.added" values={{ time: <Time at={createdAt} /> }} />,
      ]}
      end={
        backedUp ? (
          <Badge tone="quiet">{t('person.synced')}</Badge>
        ) : (
          isSecurityKey(passkey) && <Badge tone="quiet">{t('person.securityKey')}</Badge>
        )
      }
    />
  );
}

function LastUse({ at, userAgent }: { at: string; userAgent: string | null }) {
  const time = <Time at={at} relative />;
  if (!userAgent) return <T id="person.used" values={{ time }} />;
  return <T id="person.usedWith" values={{ time, browser: deviceName(userAgent).name }} />;
}

/** A pending recovery link, or a recovery that the user has started with it. */
function LinkRow({ link }: { link: PendingRecoveryLink }) {
  const { createdBy, usedAt, usableAt, expiresAt } = link;
  const isWaiting = Date.parse(usableAt) > Date.now();
  return (
    <CardRow
      sign={<Sign icon={Link2} isMissing />}
      title={t(usedAt ? 'person.linkUsed' : 'person.link')}
      facts={[
        createdBy ? t('person.linkBy', { name: createdBy.username }) : t('person.linkByOperator'),
        usedAt
          ? t('person.linkUsedAt', { time: formatMoment(usedAt) })
          : isWaiting && t('person.linkFrom', { time: formatStart(usableAt) }),
        t('person.linkUntil', { time: formatMoment(expiresAt) }),
      ]}
    />
  );
}

export const Sign = ({ icon, isMissing = false }: { icon: string; isMissing?: boolean }) => (
  <span class={`sign${isMissing ? ' sign--warning' : ''}`}>
    <Icon of={icon} />
  </span>
);
