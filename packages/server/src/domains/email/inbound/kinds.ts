/** Apart, so that whoever queues a job need not import what runs it. */
export const processMailKind = 'email.process';
export const removeBlobsKind = 'email.remove_blobs';
