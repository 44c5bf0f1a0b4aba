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
