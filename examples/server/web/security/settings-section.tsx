import type { ComponentChildren, Ref } from 'preact';

interface SettingsSectionProps {
  id: string;
  title: string;
  lead?: ComponentChildren;
  /** The section's main action, below the lead. */
  action?: ComponentChildren;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ComponentChildren;
}

/** A section of settings: its title and its action beside its content. */
export const SettingsSection = ({ id, title, lead, action, headingRef, children }: SettingsSectionProps) => (
  <section class="settings" aria-labelledby={id}>
    <div class="settings__label">
      <h2 id={id} tabIndex={-1} ref={headingRef}>
        {title}
      </h2>
      {lead && <p>{lead}</p>}
      {action}
    </div>
    <div class="settings__content">{children}</div>
  </section>
);
