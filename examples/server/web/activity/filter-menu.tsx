import type { ComponentChildren } from 'preact';
import type { PlainKey } from '../messages/t.tsx';
import { t } from '../messages/t.tsx';
import { RemovableChip } from '../ui/chip.tsx';
import { Menu } from '../ui/menu.tsx';

interface FilterMenuProps {
  id: string;
  name: PlainKey;
  value: string;
  onValue: (value: string) => void;
  options: readonly { value: string; name: string; icon: string }[];
}

/** A filter with a few values. Without a value, a chip opens a menu. With a value, the chip removes the filter. */
export function FilterMenu({ id, name, value, onValue, options }: FilterMenuProps) {
  const choose = (next: string) => {
    onValue(next);
    focusFilter(id);
  };
  if (value !== '') {
    const chosen = options.find((option) => option.value === value)?.name ?? value;
    return (
      <FilterChip id={id} name={name} onRemove={() => choose('')}>
        {chosen}
      </FilterChip>
    );
  }
  const items = options.map((option) => ({
    icon: option.icon,
    label: option.name,
    run: () => choose(option.value),
  }));
  return <Menu id={id} isChip label={t('activity.addFilter')} text={t(name)} items={items} />;
}

interface FilterChipProps {
  id: string;
  name: PlainKey;
  onRemove: () => void;
  children: ComponentChildren;
}

export const FilterChip = ({ id, name, onRemove, children }: FilterChipProps) => (
  <RemovableChip id={id} onRemove={onRemove}>
    <span class="chip__name">{t('activity.filterName', { name: t(name) })}</span> <bdi>{children}</bdi>
  </RemovableChip>
);

/** Moves the focus to the new chip of a filter, because the chip that had the focus no longer exists. */
export const focusFilter = (id: string): void =>
  void requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
