import type { AuthClient } from 'latchkey/client';
import type { LatchkeyEvents, LatchkeyPasskeys, LatchkeySignIn, LatchkeySignUp } from 'latchkey/elements';
import type { ClassAttributes, HTMLAttributes } from 'preact';

type Listeners = { [Name in keyof LatchkeyEvents as `on${Name}`]?: (event: LatchkeyEvents[Name]) => void };

type Props<Element extends HTMLElement> = HTMLAttributes<Element> &
  ClassAttributes<Element> &
  Listeners & { client?: AuthClient };

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'latchkey-sign-in': Props<LatchkeySignIn> & { username?: string | undefined };
      'latchkey-sign-up': Props<LatchkeySignUp> & {
        username?: string | undefined;
        'fixed-username'?: boolean;
        'display-name'?: boolean;
        invitation?: string | null;
      };
      'latchkey-passkeys': Props<LatchkeyPasskeys> & { 'add-button'?: 'off' };
    }
  }
}
