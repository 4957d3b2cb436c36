import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createTranscriber } from '../../support/fake-transcribers.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import { emptyDns, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

const spoken = ['Good morning.', 'The battery was dead.', 'We bought a new battery in Graz.'];

const transcriber = createTranscriber(
  spoken.map((text, i) => ({
    start: i * 2,
    end: i * 2 + 2,
    text,
    speaker: i === 1 ? 'Ana' : null,
    confidence: 0.9,
  })),
);

const isPossible = isAvailable('chromium') && isAvailable('ffmpeg');

describe.runIf(isPossible)('recordings and mail of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser({
      env: { MNEME_EMAIL_DOMAIN: 'mail.example.com' },
      overrides: { transcribers: [transcriber], resolveName: emptyDns },
    });
  });
  afterAll(() => console[Symbol.asyncDispose]());

  let client: Client;
  let key: string;
  beforeEach(async () => {
    ({ client, key } = await console.service.createAccount());
  });
  const upload = async (name: string, file: Buffer, title: string) => {
    const blob = new Blob([new Uint8Array(file)]);
    const { id } = await client.memories.upload({ file: blob, filename: name, title });
    const read = () => client.request({ method: 'GET', path: `/memories/${id}/transcript` });
    await eventually(read, ({ status }) => status === 200, 60_000);
    return id;
  };

  it('play with a transcript that follows, and jump to a hit', async () => {
    const id = await upload('stand-up.wav', await generateAudio('a.wav', 6), 'Stand-up');
    const { page, faults } = await console.open('/recordings', key);
    await page.getByRole('button', { name: /Stand-up/ }).press('Enter');
    await page.locator('audio').waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('audio').duration")).toBe(6);
    const current = page.locator('.transcript-segment[aria-current]');
    await page.getByLabel('Find in the transcript').fill('battery');
    await page.getByText('2 hits').waitFor();
    expect(await page.locator('.transcript mark').count()).toBe(2);
    await page.keyboard.press('Enter');
    await current.filter({ hasText: spoken[1] ?? '' }).waitFor();
    await page.keyboard.press('Enter');
    await current.filter({ hasText: spoken[2] ?? '' }).waitFor();
    const at = await page.evaluate("document.querySelector('audio').currentTime");
    expect(at).toBeGreaterThanOrEqual(4);
    await page.getByRole('button', { name: spoken[0] ?? '' }).click();
    await current.filter({ hasText: spoken[0] ?? '' }).waitFor();
    // The player goes on by itself, and the transcript with it.
    await current.filter({ hasText: spoken[1] ?? '' }).waitFor();
    expect(page.url()).toContain(id);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('appear when another client has stored them, and leave when it deletes them', async () => {
    const { page, faults } = await console.open('/recordings', key);
    await page.getByRole('heading', { name: 'No recordings' }).waitFor();
    const id = await upload('note.wav', await generateAudio('n.wav', 6), 'A spoken note');
    await page.getByRole('button', { name: /A spoken note/ }).waitFor();
    await client.memories.remove({ params: { id } });
    await page.getByRole('heading', { name: 'No recordings' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('are found by what was said in any of them, and play videos', async () => {
    await upload('tour.mp4', await generateVideo('v.mp4', 6), 'Tour of the office');
    const { page, faults } = await console.open('/recordings', key);
    await page.getByLabel('Find what was said').fill('battery in Graz');
    await page
      .getByRole('button', { name: /new battery in Graz/ })
      .first()
      .click();
    await page.locator('video').waitFor();
    const current = page.locator('.transcript-segment[aria-current]');
    await current.filter({ hasText: spoken[2] ?? '' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('show a rejected mail with its reason, and let its sender in', async () => {
    const recipient = await getOrCreateAddress(client);
    await client.email.addSender({
      body: { email_pattern: '*@other.example', rule_type: 'allow' },
    });
    const html = '<script>document.title=1</script>';
    const raw = [`From: ana@example.com`, `To: ${recipient}`, `Subject: ${html}`, '', 'Hello'];
    await postInboundMail(client, raw.join('\r\n'));
    await eventually(
      () => client.email.listHistory(),
      ({ data }) => data[0]?.status === 'rejected',
    );
    const { page, faults } = await console.open('/mail', key);
    await page.getByText(recipient).waitFor();
    await page.getByRole('button', { name: html }).press('Enter');
    await page.getByText('Verified').waitFor();
    expect(await page.title()).toBe('Mneme');
    await page.getByRole('button', { name: 'Allow sender' }).click();
    await page.getByText('Later mail of ana@example.com is accepted.').waitFor();
    const { data } = await client.email.listSenders();
    const rules = data.map(({ email_pattern, rule_type }) => `${rule_type} ${email_pattern}`);
    expect(rules).toContain('allow ana@example.com');
    await page.getByLabel('State').selectOption('completed');
    await page.getByRole('heading', { name: 'No mail in this state' }).waitFor();
    await page.getByRole('button', { name: 'Sent' }).click();
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
