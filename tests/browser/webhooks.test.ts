import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSigned, type Receiver, startReceiver } from '../features/support/webhooks.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('webhooks', () => {
  let stage: Stage;
  let root: Person;
  let receiver: Receiver;
  let secret: string;

  const row = () => root.page.getByRole('row', { name: /siem/ });
  const act = (item: string) => choose(root.page, 'Actions for siem', item);

  beforeAll(async () => {
    receiver = await startReceiver();
    stage = await setStage({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
    root = await createPerson(stage, 'root-of-all');
    await signUp(root);
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
  });
  afterAll(async () => {
    await stage?.close();
    await receiver?.close();
  });

  test('a page without webhooks says how to create one', async () => {
    await root.goTo('/admin/webhooks');
    await root.page.getByText('Create one to send audit events to another server.').waitFor();
    await photograph(root.page, 'webhooks-none');
  });

  test('the form explains what is wrong with each value', async () => {
    await root.button('New webhook').click();
    await root.page.getByLabel('Name').fill('Siem!');
    await root.page.getByLabel('URL').fill('http://10.0.0.1/');
    await root.page.getByLabel('Events').fill('passkey');
    await root.button('Create webhook').click();
    await root.page.getByText('This URL cannot be used').waitFor();
    await root.page.getByText('At least one of these names is unknown.').waitFor();
    await photograph(root.page, 'webhooks-form');
  });

  test('a superadmin creates a webhook, and sees its secret once', async () => {
    await root.page.getByLabel('Name').fill('siem');
    await root.page.getByLabel('URL').fill(receiver.url);
    await root.page.getByLabel('Events').fill('user., session.revoke');
    await root.button('Create webhook').click();
    await root.dialog('Secret of siem').waitFor();
    secret = await root.page.locator('.copy-line input[readonly]').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await photograph(root.page, 'webhooks-secret');
    await root.button('Done').click();
    await row().waitFor();
    expect(await row().innerText()).toMatch(/siem[\s\S]*Active[\s\S]*session\.revoke, user\.[\s\S]*Never/);
  });

  test('a test event arrives, and the page shows the result', async () => {
    await act('Send test event');
    await root.page.getByText('The receiver accepted the test event').waitFor();
    const [one] = receiver.received;
    expect(one && isSigned(one, secret)).toBe(true);
    await photograph(root.page, 'webhooks-test');
    await root.button('Done').click();
    receiver.answer((response) => response.writeHead(500).end());
    await act('Send test event');
    await root.page.getByText(/Refused: status 500, after \d+ ms\./).waitFor();
    await root.button('Done').click();
  });

  test('a webhook is paused, resumed and changed', async () => {
    await act('Pause webhook');
    await root.page.getByText('Webhook paused').waitFor();
    await row().getByText('Paused').waitFor();
    await act('Resume webhook');
    await row().getByText('Active').waitFor();
    await act('Change webhook…');
    await root.page.getByLabel('Events').fill('');
    await root.button('Save changes').click();
    await root.page.getByText('Webhook changed').waitFor();
    await expect.poll(() => row().innerText()).toContain('All events');
  });

  test('a replaced secret is shown once', async () => {
    await act('Replace secret…');
    await root.dialog('Replace the secret of siem?').getByRole('button', { name: 'Replace secret' }).click();
    await root.dialog('Secret of siem').waitFor();
    expect(await root.page.locator('.copy-line input[readonly]').inputValue()).not.toBe(secret);
    await root.button('Done').click();
  });

  test('the list says why a webhook does not work', async () => {
    const { sql } = stage.database;
    const set = (state: string, reason: string | null, since: Date | null) => sql`
      update latchkey.webhooks set state = ${state}, reason = ${reason}, failing_since = ${since}, attempts = 3,
        last_at = now(), last_status = 500, last_fault = 'refused', next_at = now() + interval '1 day'`;
    await set('active', null, new Date());
    await root.goTo('/admin/webhooks');
    await row().getByText('Failing', { exact: true }).waitFor();
    await set('paused', 'failing', new Date());
    await root.goTo('/admin/webhooks');
    await root.page.getByText('The receiver did not accept an event for three days.').waitFor();
    await settled(root.page);
    await photograph(root.page, 'webhooks');
    await set('paused', 'log_changed', null);
    await root.goTo('/admin/webhooks');
    await act('Resume with new events');
    await row().getByText('Active').waitFor();
  });

  test('a deleted webhook disappears', async () => {
    await act('Delete webhook…');
    await root.dialog('Delete siem?').getByRole('button', { name: 'Delete webhook' }).click();
    await root.page.getByText('No webhooks yet').waitFor();
  });
});
