import type { Passkey } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { T, t } from '../messages/t.tsx';
import { Time } from '../ui/time.tsx';

interface KeepChoiceProps {
  checked: boolean;
  onCheck: (checked: boolean) => void;
  title: ComponentChildren;
  /** Facts by which the user recognizes the sign-in method. */
  children: ComponentChildren;
}

/** A sign-in method, with a checkbox to keep the method. */
export function KeepChoice({ checked, onCheck, title, children }: KeepChoiceProps) {
  const id = useId();
  return (
    <label class="keep__choice">
      <input
        type="checkbox"
        class="check__box"
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-facts`}
      />
      <span class="keep__text">
        <span class="keep__title" id={`${id}-title`}>
          {title}
        </span>
        <span class="row__meta row__facts" id={`${id}-facts`}>
          {children}
        </span>
      </span>
    </label>
  );
}

export const PasskeyFacts = ({ passkey }: { passkey: Passkey }) => {
  const { provider, label, createdAt, lastUsedAt } = passkey;
  return (
    <>
      {provider && provider !== label && <span>{provider}</span>}
      <span>
        <T id="recovery.added" values={{ when: <Time at={createdAt} /> }} />
      </span>
      <span>
        {lastUsedAt ? (
          <T id="recovery.lastUsed" values={{ when: <Time at={lastUsedAt} relative /> }} />
        ) : (
          t('recovery.notUsed')
        )}
      </span>
    </>
  );
};
