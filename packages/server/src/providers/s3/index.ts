export { abortUploads, type Bucket, connectBucket } from './bucket.ts';
export { partBytes, partsMax, type UploadPart, uploadObject } from './upload.ts';
