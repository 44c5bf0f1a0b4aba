import { useId } from 'preact/hooks';

interface SegmentedControlProps<Value extends string> {
  label: string;
  value: Value;
  onValue: (value: Value) => void;
  options: readonly (readonly [value: Value, name: string])[];
}

/** A choice between a few short options. The inputs are radio buttons, so the arrow keys move between them. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, onValue, options } = props;
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label class="segment" key={option}>
          <input
            type="radio"
            class="segment__input"
            name={name}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
