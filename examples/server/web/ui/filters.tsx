import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Filters for a list. The list updates while the user types, so the form is never submitted. */
export const Filters = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <form class="filters" aria-label={label} onSubmit={(event) => event.preventDefault()}>
    {children}
  </form>
);

interface FilterProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
}

interface SearchFilterProps extends FilterProps {
  /** Shown below the input while the user types. */
  message?: ComponentChildren;
  suggestions?: string[];
}

export function SearchFilter({ label, value, onValue, message, suggestions = [] }: SearchFilterProps) {
  const id = useId();
  return (
    <div class="filters__item filters__item--wide">
      <label class="filters__label" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        class="input input--compact"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        list={`${id}-suggestions`}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby={`${id}-message`}
      />
      <datalist id={`${id}-suggestions`}>
        {suggestions.map((suggestion) => (
          <option value={suggestion} key={suggestion} />
        ))}
      </datalist>
      <div id={`${id}-message`} class="field__message" role="status">
        {message}
      </div>
    </div>
  );
}

interface SelectFilterProps<Value extends string> {
  label: string;
  value: Value;
  onValue: (value: Value) => void;
  options: readonly (readonly [value: Value, name: string])[];
}

export function SelectFilter<Value extends string>(props: SelectFilterProps<Value>) {
  const { label, value, onValue, options } = props;
  const id = useId();
  return (
    <div class="filters__item">
      <label class="filters__label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input input--compact"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {options.map(([option, name]) => (
          <option value={option} key={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

export function DayFilter({ label, value, onValue }: FilterProps) {
  const id = useId();
  return (
    <div class="filters__item">
      <label class="filters__label" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        class="input input--compact"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}
