/** Milliseconds that the work takes at least, which is far more than it needs. */
const minDurationMs = 150

/** Does it in a time that tells nobody whether there was anything to do. */
export async function withMinimumDuration(work: () => Promise<void>): Promise<void> {
  await Promise.all([work(), Bun.sleep(minDurationMs)])
}
