import type { RefObject } from 'preact';
import { Field } from '../ui/field.tsx';
import { Bad } from '../ui/verdict.tsx';

/** The username of a user to invite or add. `isMissing`: the form was submitted without a username. */
export const MemberUsernameField = ({
  name,
  value,
  onValue,
  inputRef,
  isMissing,
}: {
  name: string;
  value: string;
  onValue: (typed: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
  isMissing: boolean;
}) => (
  <Field
    label="Username"
    name={name}
    value={value}
    onValue={onValue}
    inputRef={inputRef}
    autocomplete="off"
    verbatim
    maxLength={64}
    invalid={isMissing}
    message={isMissing && <Bad>Enter a username.</Bad>}
  />
);
