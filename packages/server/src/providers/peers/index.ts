export { createPeerClient, type PeerClient, PeerFailed } from './peer-client.ts';
