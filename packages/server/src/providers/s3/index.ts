export { abortUploads, type Bucket, connectBucket } from './bucket.ts';
export { type Part, partBytes, partsMax, uploadObject } from './upload.ts';
