import type { UserRecord } from 'latchkey/client';
import { TriangleAlert } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { Time } from '../ui/time.tsx';

/** The most important facts about a user. Leaves out what the signed-in user cannot read. */
export function Summary({
  record: { user, details },
  seesSignIns,
}: {
  record: UserRecord;
  seesSignIns: boolean;
}) {
  const codes = details?.recoveryCodesRemaining ?? 0;
  return (
    <dl class="summary">
      {details && seesSignIns && (
        <Fact term={t('person.lastSignIn')}>
          {details.lastSignIn ? <Time at={details.lastSignIn.at} relative /> : t('users.never')}
        </Fact>
      )}
      {details && (
        <Fact term={t('person.methods')}>
          <Methods passkeys={details.passkeys.length} hasPassword={details.hasPassword} />
        </Fact>
      )}
      {details && (
        <Fact term={t('person.codes')}>
          {codes > 0 ? t('person.codesLeft', { count: codes }) : <Missing>{t('users.none')}</Missing>}
        </Fact>
      )}
      <Fact term={t('users.joined')}>
        <Time at={user.createdAt} />
      </Fact>
    </dl>
  );
}

const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div class="summary__fact">
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);

function Methods({ passkeys, hasPassword }: { passkeys: number; hasPassword: boolean }) {
  if (passkeys > 0)
    return <>{t(hasPassword ? 'person.passkeysAndPassword' : 'users.passkeys', { count: passkeys })}</>;
  return <Missing>{t(hasPassword ? 'person.onlyPassword' : 'users.none')}</Missing>;
}

const Missing = ({ children }: { children: ComponentChildren }) => (
  <span class="summary__missing">
    <Icon of={TriangleAlert} inline />
    {children}
  </span>
);
