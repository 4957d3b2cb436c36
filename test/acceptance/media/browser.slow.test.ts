import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MediaLink } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPage, openBrowserPage } from '../../support/chromium.ts';
import { generateVideo } from '../../support/generated-media.ts';
import { waveFile, withFreeBox } from '../../support/media-containers.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';
import { type ApiCredentials, parseJson, sendRequest } from './http-requests.ts';
import { uploadRecording } from './transcription-service.ts';

/** Playback does not depend on the database engine. */
describe.runIf(isAvailable('chromium'))('in a browser', () => {
  let service: Service;
  let credentials: ApiCredentials;
  let page: BrowserPage;
  // The page has another origin than the service, like pages of users.
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Recordings</title>');
  });
  beforeAll(async () => {
    service = await startService('embedded');
    credentials = { url: service.url, key: (await service.createAccount()).key };
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    page = await openBrowserPage(`http://localhost:${(site.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    site.close();
    await service.stop();
  });

  const linkOf = async (bytes: Uint8Array): Promise<string> => {
    const id = await uploadRecording(credentials, bytes);
    const response = await sendRequest(credentials, `/v1/memories/${id}/stream/link`);
    return new URL(parseJson<MediaLink>(response).url, service.url).href;
  };

  interface Played {
    readonly duration: number;
    readonly at: number;
    readonly later: number;
  }
  /** Seeks to the middle and plays for a moment. */
  const seek = (kind: string, url: string): Promise<Played> =>
    page.evaluate(`(async () => {
      const element = document.createElement('${kind}');
      element.preload = 'metadata';
      element.src = ${JSON.stringify(url)};
      document.body.append(element);
      const next = (event) => new Promise((resolve, reject) => {
        element.addEventListener(event, resolve, { once: true });
        element.addEventListener('error', () => reject(new Error(element.error.message)));
      });
      await next('loadedmetadata');
      const { duration } = element;
      const seeked = next('seeked');
      element.currentTime = duration / 2;
      await seeked;
      const at = element.currentTime;
      const moving = new Promise((resolve) => {
        element.addEventListener('timeupdate', () => element.currentTime > at && resolve());
      });
      await element.play();
      await moving;
      element.pause();
      return { duration, at, later: element.currentTime };
    })()`);

  it.each([
    ['audio', 120, () => waveFile(Buffer.alloc(120 * 48_000 * 2), { rate: 48_000 })],
    // Longer than what a browser reads ahead: it must jump to the index at the end.
    ['video', 60, async () => withFreeBox(await generateVideo('film.mp4', 60), 32_000_000)],
  ])(
    'an element of %s seeks to the middle and plays on, by ranges',
    async (kind, seconds, make) => {
      const url = await linkOf(await make());
      const { duration, at, later } = await seek(kind, url);
      expect(Math.abs(duration - seconds)).toBeLessThan(0.5);
      expect(Math.abs(at - duration / 2)).toBeLessThan(0.1);
      expect(later).toBeGreaterThan(at);
      const parts = page.responses.filter((answer) => answer.url === url);
      expect(parts.map(({ status }) => status)).toEqual(parts.map(() => 206));
      expect(parts.length).toBeGreaterThan(0);
      const begins = parts.map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1]));
      expect(Math.max(...begins)).toBeGreaterThan(0);
    },
  );
});
