import type { Passkey } from 'latchkey/client';
import { Calendar, Globe, History, Pencil, Trash2 } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { deviceName } from '../device-name.ts';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import { Menu } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import { isSecurityKey, storageOf } from './passkey-facts.ts';
import { PasskeyLogo } from './passkey-logo.tsx';
import { RenamePasskeyForm } from './rename-passkey-form.tsx';

interface PasskeyCardProps {
  passkey: Passkey;
  /** Whether the passkey was just added. If so, the card asks for a name. */
  isNew: boolean;
  onRenamed: (renamed: Passkey) => void;
  onRemove: () => void;
}

export function PasskeyCard({ passkey, isNew, onRenamed, onRemove }: PasskeyCardProps) {
  const [naming, setNaming] = useState(isNew);
  const { id, label } = passkey;
  return (
    <li class={`card passkey${isNew ? ' passkey--new' : ''}`}>
      <div class="passkey__head">
        <PasskeyLogo passkey={passkey} />
        <div>
          {naming ? (
            <RenamePasskeyForm
              passkey={passkey}
              isNew={isNew}
              onRenamed={onRenamed}
              onClose={() => setNaming(false)}
            />
          ) : (
            <h3>
              <bdi>{label}</bdi>
            </h3>
          )}
          <div class="passkey__badges">
            {isNew && <Badge tone="warning">{t('passkeys.new')}</Badge>}
            {passkey.backedUp && <Badge tone="quiet">{t('passkeys.synced')}</Badge>}
            {isSecurityKey(passkey) && <Badge tone="quiet">{t('passkeys.securityKey')}</Badge>}
          </div>
        </div>
        {!naming && (
          <Menu
            id={`passkey-${id}`}
            label={t('passkeys.actions', { name: label })}
            items={[
              { icon: Pencil, label: t('passkeys.rename'), run: () => setNaming(true) },
              {
                icon: Trash2,
                label: t('passkeys.remove'),
                consequence: t('passkeys.removeConsequence'),
                destructive: true,
                run: onRemove,
              },
            ]}
          />
        )}
      </div>
      <PasskeyFacts passkey={passkey} />
    </li>
  );
}

function PasskeyFacts({ passkey }: { passkey: Passkey }) {
  const { provider, label, createdAt } = passkey;
  return (
    <div class="passkey__facts">
      <Fact icon={Globe}>
        {provider && provider !== label
          ? t('passkeys.providerAndStorage', { provider, storage: storageOf(passkey) })
          : storageOf(passkey)}
      </Fact>
      <Fact icon={History}>
        <LastUse passkey={passkey} />
      </Fact>
      <Fact icon={Calendar}>
        <T id="passkeys.addedOn" values={{ time: <Time at={createdAt} /> }} />
      </Fact>
    </div>
  );
}

function LastUse({ passkey: { lastUsedAt, lastUsedUserAgent } }: { passkey: Passkey }) {
  if (!lastUsedAt) return <>{t('passkeys.notUsed')}</>;
  const time = <Time at={lastUsedAt} relative />;
  if (!lastUsedUserAgent) return <T id="passkeys.lastUsed" values={{ time }} />;
  return <T id="passkeys.lastUsedWith" values={{ time, browser: deviceName(lastUsedUserAgent).name }} />;
}

const Fact = ({ icon, children }: { icon: string; children: ComponentChildren }) => (
  <p>
    <Icon of={icon} />
    <span>{children}</span>
  </p>
);
