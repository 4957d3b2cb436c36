import { stagedRecording } from '../../../support/staged-media.ts';
import { formOf, json, upload } from '../../media/asking.ts';
import { asking, type Row, someId } from '../row.ts';

export const media: readonly Row[] = [
  {
    code: 'invalid_request',
    where: 'a range begins after the bytes of a recording',
    status: 416,
    route: 'media.stream',
    headers: { 'content-range': `bytes */${stagedRecording('audio').length}` },
    async provoke(stage) {
      const { service } = stage;
      const { key } = await service.account();
      const { id } = json(
        await upload({ url: service.url, key }, formOf(stagedRecording('audio'))),
      );
      return asking(stage, `GET /memories/${id}/stream`, {
        key,
        headers: { range: 'bytes=1000-' },
      });
    },
  },
  {
    code: 'duplicate_memory',
    where: 'an upload in parts has the bytes of a recording of the space',
    status: 422,
    route: 'media.appendUpload',
    details: { memory_id: someId },
    async provoke(stage) {
      const { service } = stage;
      const { key } = await service.account();
      const bytes = stagedRecording('audio');
      await upload({ url: service.url, key }, formOf(bytes));
      const begin = {
        method: 'POST',
        path: '/media/uploads',
        headers: { 'upload-length': String(bytes.length) },
      } as const;
      const part = {
        key,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
        body: bytes.toString('latin1'),
      };
      return {
        // With its refusal an upload is over.
        async send(headers) {
          const { headers: told } = await service.client(key).request(begin);
          const path = told.get('location')?.replace('/v1', '');
          return asking(stage, `PATCH ${path}`, part).send(headers);
        },
      };
    },
  },
];
