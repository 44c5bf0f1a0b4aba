import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../messages/t.tsx';

export interface FieldProps {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  autocomplete: string;
  /** Shows dots instead of the text. */
  covered?: boolean;
  /** Turns off capitalization and spell checking. */
  verbatim?: boolean;
  /** Uses a font in which similar letters look different, for text that users copy by hand. */
  monospace?: boolean;
  maxLength?: number;
  readOnly?: boolean;
  optional?: boolean;
  /** Shown below the input. Screen readers announce changes. */
  message?: ComponentChildren;
  invalid?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  /** A control at the end of the input's line, such as a button. */
  control?: ComponentChildren;
}

// Two constants, because the types of Preact reject an input whose `type` is the union 'text' | 'password'.
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
        {optional && <span class="field__optional"> {t('common.optional')}</span>}
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
