import { harbor } from './names.mjs';

/** The pages of organizations and of their invitations. */
export async function showOrganizations({ browser, camera, nora }) {
  const { page } = nora;
  await nora.goTo('/organizations');
  await camera.take(nora, 'organizations');
  await nora.button('Create an organization').click();
  await camera.take(nora, 'organization-new');
  await nora.goTo(`/organizations/${harbor}`);
  await camera.take(nora, 'organization', { wholePage: false });
  await page.getByRole('button', { name: 'Switch organization' }).click();
  await camera.take(nora, 'organization-switcher', { wholePage: false });
  await page.keyboard.press('Escape');
  await nora.goTo(`/organizations/${harbor}?tab=invitations`);
  await camera.take(nora, 'organization-invitations');
  await nora.goTo(`/organizations/${harbor}?tab=settings`);
  await camera.take(nora, 'organization-settings');
  await nora.button('Delete…').click();
  await camera.take(nora, 'organization-delete');
  await nora.button('Cancel').click();
  await nora.goTo(`/organizations/${harbor}`);
  await nora.button('Invite members').click();
  await page.getByRole('combobox', { name: 'Usernames' }).fill('na');
  await page.getByRole('option').first().waitFor();
  await camera.take(nora, 'invite-sheet');
  await page.getByRole('radio', { name: 'By link' }).check();
  await camera.take(nora, 'invite-sheet-link');
  await nora.button('Create link').click();
  await nora.dialog('New invitation link').waitFor();
  await camera.take(nora, 'invite-link');
  const link = await page.locator('.copy-line input[readonly]').inputValue();
  const visitor = await browser.newPerson('lars.holm');
  await visitor.goTo(link);
  await camera.take(visitor, 'join');
}
