import type { Passkey } from 'latchkey/client';
import { Usb, UserRoundKey } from 'lucide-static';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Time } from '../components/time.tsx';
import { Icon } from '../icons/icon.tsx';
import { isSecurityKey, storageOf } from './passkey-facts.ts';
import { RenamePasskeyForm } from './rename-passkey-form.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  isNew: boolean;
  onRenamed: (renamed: Passkey) => void;
  onRemove: () => void;
}

export function PasskeyRow({ passkey, isNew, onRenamed, onRemove }: PasskeyRowProps) {
  const [renaming, setRenaming] = useState(false);
  return (
    <li class={`row${isNew ? ' row--new' : ''}`}>
      <span class="row__icon">{isSecurityKey(passkey) ? <Icon of={Usb} /> : <Icon of={UserRoundKey} />}</span>
      <div class="row__text">
        {renaming ? (
          <RenamePasskeyForm passkey={passkey} onRenamed={onRenamed} onClose={() => setRenaming(false)} />
        ) : (
          <h3 class="row__title">
            <bdi>{passkey.label}</bdi>
            {isNew && <span class="badge">New</span>}
          </h3>
        )}
        <PasskeyFacts passkey={passkey} />
      </div>
      {!renaming && (
        <div class="row__actions">
          <Button variant="quiet" id={`rename-${passkey.id}`} onClick={() => setRenaming(true)}>
            Rename<span class="visually-hidden"> {passkey.label}</span>
          </Button>
          <Button variant="danger-quiet" onClick={onRemove}>
            Remove<span class="visually-hidden"> {passkey.label}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

function PasskeyFacts({ passkey }: { passkey: Passkey }) {
  const { provider, label, createdAt, lastUsedAt } = passkey;
  return (
    <>
      <p class="row__meta row__facts">
        {provider && provider !== label && <span>{provider}</span>}
        <span>{storageOf(passkey)}</span>
      </p>
      <p class="row__meta row__facts">
        <span>
          Added <Time at={createdAt} />
        </span>
        <span>{lastUsedAt ? <>Last used {<Time at={lastUsedAt} relative />}</> : 'Not used yet'}</span>
      </p>
    </>
  );
}
