import 'latchkey/elements/sign-up';
import { auth } from '../auth.ts';
import { PasskeyIcon } from '../elements/passkey-icon.tsx';
import { useFailures } from '../elements/use-failures.ts';

interface SignUpFormProps {
  /** The username that the invitation is for. Null: the user chooses a username. */
  fixedUsername?: string | null;
  /** The token of an invitation to sign up. */
  invitation?: string | undefined;
  /** The label of the button. Default: the label of the element. */
  submit?: string;
  /** Called when the account was created and the user is signed in. */
  onSignedUp: () => Promise<void>;
}

export const SignUpForm = ({ fixedUsername = null, invitation, submit, onSignedUp }: SignUpFormProps) => (
  <latchkey-sign-up
    client={auth}
    display-name
    username={fixedUsername ?? undefined}
    fixed-username={fixedUsername !== null}
    invitation={invitation ?? null}
    onlatchkey-signed-up={() => void onSignedUp()}
    onlatchkey-failed={useFailures()}
  >
    <PasskeyIcon />
    {submit && <span slot="submit">{submit}</span>}
  </latchkey-sign-up>
);
