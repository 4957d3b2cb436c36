import { fakeRecording } from '../../../support/fake-media.ts';
import { createForm, parseJson, uploadForm } from '../../media/http-requests.ts';
import { type ErrorCase, prepareRequest } from '../error-case.ts';

export const media: readonly ErrorCase[] = [
  {
    code: 'invalid_request',
    where: 'a range begins after the bytes of a recording',
    status: 416,
    route: 'media.stream',
    headers: { 'content-range': `bytes */${fakeRecording('audio').length}` },
    async provoke(stage) {
      const { service } = stage;
      const { key } = await service.createAccount();
      const { id } = parseJson(
        await uploadForm({ url: service.url, key }, createForm(fakeRecording('audio'))),
      );
      return prepareRequest(stage, `GET /memories/${id}/stream`, {
        key,
        headers: { range: 'bytes=1000-' },
      });
    },
  },
  {
    code: 'checksum_mismatch',
    where: 'the bytes of an upload in parts are not those of its Upload-Checksum',
    status: 460,
    route: 'media.appendUpload',
    async provoke(stage) {
      const { service } = stage;
      const { key } = await service.createAccount();
      const { id } = await service
        .client(key)
        .media.createUpload({ headers: { 'upload-length': '5' } });
      return prepareRequest(stage, `PATCH /media/uploads/${id}`, {
        key,
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': '0',
          'upload-checksum': 'sha1 AAAA',
        },
        body: 'words',
      });
    },
  },
];
