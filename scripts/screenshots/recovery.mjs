/** The steps of a recovery with a link, and the dialog that creates the link. */
export async function showRecovery({ site, browser, camera }) {
  const amara = await browser.newPerson('amara.lopez');
  await amara.signUp();
  await site.sql`update latchkey.users set role = 'superadmin' where username = 'amara.lopez'`;
  await amara.goTo('/admin/users?search=iris.smith');
  await amara.choose(/^Actions for/, 'Create recovery link');
  await camera.take(amara, 'recovery-link-ask');
  await amara.button('Create recovery link').click();
  await amara.dialog(/^Recovery link for/).waitFor();
  await camera.take(amara, 'recovery-link-created');
  const link = await amara.page.locator('.copy-line input[readonly]').inputValue();

  const iris = await browser.newPerson('iris.smith');
  await iris.goTo(link);
  await camera.take(iris, 'recovery-1-link');
  await iris.button('Continue').click();
  await iris.text('Which of these do you still have?').waitFor();
  await camera.take(iris, 'recovery-2-keep');
  await iris.button('Continue').click();
  await iris.text('Add a new passkey').waitFor();
  await camera.take(iris, 'recovery-3-passkey');
  await iris.button('Add passkey').click();
  await iris.dialog('Save your recovery codes').waitFor();
  await camera.take(iris, 'recovery-4-codes');
  await iris.page.getByLabel('I have saved my codes').check();
  await iris.button('Done').click();
  await iris.text('Your account is recovered').waitFor();
  await camera.take(iris, 'recovery-5-done');
}
