import onePassword from 'simple-icons/icons/1password.svg';
import apple from 'simple-icons/icons/apple.svg';
import bitwarden from 'simple-icons/icons/bitwarden.svg';
import dashlane from 'simple-icons/icons/dashlane.svg';
import google from 'simple-icons/icons/google.svg';
import keePassXc from 'simple-icons/icons/keepassxc.svg';
import lastPass from 'simple-icons/icons/lastpass.svg';
import proton from 'simple-icons/icons/proton.svg';
import yubico from 'simple-icons/icons/yubico.svg';

/** The logos of companies whose products store passkeys, in one color. They are trademarks of these companies. */
const marks = { onePassword, apple, bitwarden, dashlane, google, keePassXc, lastPass, proton, yubico };

export type ProviderMarkName = keyof typeof marks;

/** Screen readers ignore the mark, because the name is always beside it. */
export const ProviderMark = ({ of }: { of: ProviderMarkName }) => (
  <svg class="icon icon--mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d={marks[of]} />
  </svg>
);
