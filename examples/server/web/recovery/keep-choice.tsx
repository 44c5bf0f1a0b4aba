import type { Passkey } from 'latchkey/client';
import type { ComponentChildren } from 'preact';
import { Time } from '../components/time.tsx';

interface KeepChoiceProps {
  checked: boolean;
  onCheck: (checked: boolean) => void;
  title: ComponentChildren;
  /** The facts that tell it from the others. */
  children: ComponentChildren;
}

/** One way into the account, to tick if the user still has it. */
export const KeepChoice = ({ checked, onCheck, title, children }: KeepChoiceProps) => (
  <label class="keep__choice">
    <input
      type="checkbox"
      class="check__box"
      checked={checked}
      onChange={(event) => onCheck(event.currentTarget.checked)}
    />
    <span class="keep__text">
      <span class="keep__title">{title}</span>
      <span class="row__meta row__facts">{children}</span>
    </span>
  </label>
);

export const PasskeyFacts = ({ passkey }: { passkey: Passkey }) => {
  const { provider, label, createdAt, lastUsedAt } = passkey;
  return (
    <>
      {provider && provider !== label && <span>{provider}</span>}
      <span>
        Added <Time at={createdAt} />
      </span>
      <span>{lastUsedAt ? <>Last used {<Time at={lastUsedAt} relative />}</> : 'Not used yet'}</span>
    </>
  );
};
