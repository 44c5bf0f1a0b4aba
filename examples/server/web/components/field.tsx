import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  autocomplete: string;
  /** A name rather than words: neither capitals nor spelling are to be mended. */
  verbatim?: boolean;
  maxLength?: number;
  optional?: boolean;
  /** Shown below, and read out when it changes. */
  message?: ComponentChildren;
  invalid?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

export function Field(props: FieldProps) {
  const { label, value, onValue, verbatim, optional, message, invalid, inputRef, ...rest } = props;
  const id = useId();
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
        {optional && <span class="field__optional"> (optional)</span>}
      </label>
      <input
        {...rest}
        type="text"
        id={id}
        ref={inputRef}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        autocapitalize={verbatim ? 'none' : undefined}
        spellcheck={!verbatim}
        aria-invalid={invalid || undefined}
        aria-describedby={`${id}-message`}
      />
      <div id={`${id}-message`} class="field__message" role="status">
        {message}
      </div>
    </div>
  );
}
