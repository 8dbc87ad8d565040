/** Milliseconds until a stop is forced; the next start cleans up (PLT-32). */
const stopTimeoutMs = 9_500

const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0))

// Loaded once signals are handled: it takes most of the start, and a stop can be requested in the meantime.
const serving = import('./serve.ts').then(({ serve }) => serve(stopping.signal, () => stop('uncaught error', 1)))
await serving

function stop(reason: string, status: number): void {
  // Ctrl-C reaches this process from the terminal and from `bun run`: the second must not cut the first short.
  if (stopping.signal.aborted) return
  stopping.abort(reason)
  void Promise.race([serving.then((server) => server?.stop()), Bun.sleep(stopTimeoutMs)])
    .catch(() => {})
    .then(() => process.exit(status))
}
