import { useId } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';

interface SegmentedControlProps<Value extends string> {
  label: string;
  /** Shows the label above the options. Otherwise, only screen readers read it. */
  hasVisibleLabel?: boolean;
  value: Value;
  onValue: (value: Value) => void;
  options: readonly (readonly [value: Value, name: string, icon?: string])[];
}

/** A choice between a few short options. The inputs are radio buttons, so the arrow keys move between them. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, hasVisibleLabel, value, onValue, options } = props;
  const name = useId();
  return (
    <fieldset class="segments-choice">
      <legend class={hasVisibleLabel ? 'segments-choice__legend' : 'visually-hidden'}>{label}</legend>
      <div class="segments">
        {options.map(([option, text, icon]) => (
          <label class="segment" key={option}>
            <input
              type="radio"
              class="segment__input"
              name={name}
              checked={option === value}
              onChange={() => onValue(option)}
            />
            <span>
              {icon && <Icon of={icon} inline />}
              {text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
