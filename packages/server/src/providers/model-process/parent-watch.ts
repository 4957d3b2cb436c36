import { Socket } from 'node:net';

// The parent holds the other end and never writes: it ends with the parent, however that ends.
const parent = new Socket({ fd: 0, readable: true, writable: false });
parent.on('error', () => undefined);
parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
parent.resume();
