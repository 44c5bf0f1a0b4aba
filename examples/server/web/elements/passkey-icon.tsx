import './jsx.ts';
import { UserRoundKey } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';

/** The icon of the button that opens the passkey prompt. */
export const PasskeyIcon = () => (
  <span slot="icon" class="slotted-icon">
    <Icon of={UserRoundKey} />
  </span>
);
