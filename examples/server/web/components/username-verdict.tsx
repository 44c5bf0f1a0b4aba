import { Bad, Good } from '../ui/verdict.tsx';
import { type Availability, brokenRule } from '../use-username-availability.ts';

interface UsernameVerdictProps {
  availability: Availability;
  typed: string;
  /** The form was submitted, so hints are shown as errors. */
  insist: boolean;
}

/** The message below the username field. */
export function UsernameVerdict({ availability, typed, insist }: UsernameVerdictProps) {
  switch (availability.status) {
    case 'empty':
      return insist ? (
        <Bad>Choose a username.</Bad>
      ) : (
        <>3 to 32 letters, digits, dots, dashes or underscores.</>
      );
    case 'short':
      return insist ? <Bad>Use at least 3 characters.</Bad> : <>At least 3 characters.</>;
    case 'checking':
      return <>Checking…</>;
    case 'unknown':
      return <>Couldn’t check whether the username is available. You can still create the account.</>;
    case 'available':
      return (
        <Good>
          {availability.username === typed.trim() ? (
            'Available'
          ) : (
            <>
              Available as <strong>{availability.username}</strong>
            </>
          )}
        </Good>
      );
    case 'taken':
      return (
        <Bad>
          <strong>{availability.username}</strong> is taken.
        </Bad>
      );
    case 'look_alike':
      return (
        <Bad>
          <strong>{availability.username}</strong> looks like the username of another user. Choose another
          username.
        </Bad>
      );
    case 'reserved':
      return (
        <Bad>
          <strong>{availability.username}</strong> is reserved. Choose another username.
        </Bad>
      );
    default:
      return <Bad>{brokenRule(availability.username)}</Bad>;
  }
}
