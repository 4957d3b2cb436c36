#!/usr/bin/env node
// Exit 0 while the server of this machine responds: the health check of a container.
const port = process.env.MNEME_PORT || '7077';
try {
  const response = await fetch(`http://127.0.0.1:${port}/livez`, {
    signal: AbortSignal.timeout(4_000),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
} catch (error) {
  console.error(`mneme: /livez on port ${port}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
