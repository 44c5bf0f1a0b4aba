import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SelectFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly (readonly [value: string, name: string])[];
  message?: ComponentChildren;
}

export function SelectField({ label, value, onValue, options, message }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      <select id={id} class="input" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map(([option, name]) => (
          <option value={option} key={option}>
            {name}
          </option>
        ))}
      </select>
      {message && <p class="field__message">{message}</p>}
    </div>
  );
}
