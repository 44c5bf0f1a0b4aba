import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  autocomplete: string;
  /** Dots in place of what is typed. */
  covered?: boolean;
  /** A name rather than words: neither capitals nor spelling are to be mended. */
  verbatim?: boolean;
  /** Something to be copied letter by letter: in letters that cannot be taken for one another. */
  monospace?: boolean;
  maxLength?: number;
  readOnly?: boolean;
  optional?: boolean;
  /** Shown below, and read out when it changes. */
  message?: ComponentChildren;
  invalid?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  /** A control at the end of the input's own line. */
  control?: ComponentChildren;
}

// The types know what goes with either, not with one that may be both.
const text = { type: 'text' } as const;
const password = { type: 'password' } as const;

export function Field(props: FieldProps) {
  const {
    label,
    value,
    onValue,
    covered,
    verbatim,
    monospace,
    optional,
    message,
    invalid,
    inputRef,
    control,
    ...rest
  } = props;
  const id = useId();
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
        {optional && <span class="field__optional"> (optional)</span>}
      </label>
      <div class="field__line">
        <input
          {...rest}
          {...(covered ? password : text)}
          id={id}
          ref={inputRef}
          class={`input${monospace ? ' input--monospace' : ''}`}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          autocapitalize={verbatim ? 'none' : undefined}
          spellcheck={!verbatim}
          dir={verbatim ? undefined : 'auto'}
          aria-invalid={invalid || undefined}
          aria-describedby={`${id}-message`}
        />
        {control}
      </div>
      <div id={`${id}-message`} class="field__message" role="status">
        {message}
      </div>
    </div>
  );
}
