import { ChevronDown } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';

interface QuietSelectProps<Value extends string> {
  icon: string;
  label: string;
  /** Shows the label before the chosen option. Otherwise, only screen readers read it. */
  hasVisibleLabel?: boolean;
  value: Value;
  onValue: (value: Value) => void;
  /** `language`: the language of the name, if it is not the language of the page. */
  options: readonly (readonly [value: Value, name: string, language?: string])[];
}

/** A list of options without a border, for a setting that users seldom change. */
export function QuietSelect<Value extends string>(props: QuietSelectProps<Value>) {
  const { icon, label, hasVisibleLabel, value, onValue, options } = props;
  return (
    <label class="quiet-select">
      <Icon of={icon} />
      <span class={hasVisibleLabel ? 'quiet-select__label' : 'visually-hidden'}>{label}</span>
      <select
        class="quiet-select__input"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {options.map(([option, name, language]) => (
          <option value={option} lang={language} key={option}>
            {name}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} inline />
    </label>
  );
}
