import { t } from '../messages/t.tsx';
import { Field } from '../ui/field.tsx';
import { Bad } from '../ui/verdict.tsx';
import type { OrganizationForm } from './use-organization-form.ts';

/** The name, and the short name if the form asks for it. */
export const OrganizationFields = ({ form }: { form: OrganizationForm }) => (
  <>
    <Field
      label={t('organizations.name')}
      name="organization"
      value={form.name}
      onValue={form.setName}
      inputRef={form.nameInput}
      autocomplete="organization"
      maxLength={64}
      invalid={form.isNameInvalid}
      message={form.isNameInvalid && <Bad>{t('organizations.enterName')}</Bad>}
    />
    {form.asksForSlug && (
      <Field
        label={t('organizations.shortName')}
        name="slug"
        value={form.slug}
        onValue={form.setSlug}
        inputRef={form.slugInput}
        autocomplete="off"
        verbatim
        monospace
        maxLength={48}
        invalid={form.isSlugInvalid}
        message={<SlugMessage form={form} />}
      />
    )}
  </>
);

function SlugMessage({ form: { slug, isSlugTaken, isSlugInvalid } }: { form: OrganizationForm }) {
  if (isSlugTaken)
    return <Bad>{slug === '' ? t('organizations.derivedSlugTaken') : t('organizations.slugTaken')}</Bad>;
  const rule = t('organizations.slugRule');
  return isSlugInvalid ? <Bad>{rule}</Bad> : <span>{rule}</span>;
}
