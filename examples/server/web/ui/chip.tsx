import { Plus, X } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

/** A row of chips. On a phone, it scrolls sideways. */
export const Chips = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways in every browser
  <div class="chips" role="group" aria-label={label}>
    {children}
  </div>
);

interface ChipProps {
  isOn: boolean;
  /** How many items the filter matches. */
  count?: string | number | undefined;
  onToggle: () => void;
  children: ComponentChildren;
}

/** A filter that is on or off. */
export const Chip = ({ isOn, count, onToggle, children }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={isOn} onClick={onToggle}>
    {children}
    {count !== undefined && <span class="chip__count">{count}</span>}
  </button>
);

/** A filter with a value. A click removes the filter. */
export const RemovableChip = ({
  onRemove,
  children,
}: {
  onRemove: () => void;
  children: ComponentChildren;
}) => (
  <button type="button" class="chip chip--on" onClick={onRemove}>
    <span class="visually-hidden">{t('common.removeFilter')} </span>
    {children}
    <Icon of={X} inline />
  </button>
);

/** Adds a filter. */
export const AddChip = ({ onAdd, children }: { onAdd: () => void; children: ComponentChildren }) => (
  <button type="button" class="chip chip--add" onClick={onAdd}>
    <Icon of={Plus} inline />
    {children}
  </button>
);
