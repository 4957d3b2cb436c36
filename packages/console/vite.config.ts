import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run dev` forwards the API to a running server at this address. */
const server = process.env.MNEME_URL ?? 'http://127.0.0.1:7077';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    // The server accepts changes without a key, such as signing in by a link, from its own pages.
    proxy: {
      '/v1': { target: server, changeOrigin: true, headers: { origin: new URL(server).origin } },
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The policy of the page allows neither inline scripts nor data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
