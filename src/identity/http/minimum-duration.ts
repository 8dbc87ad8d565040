/** Far longer than the work takes. */
const minDurationMs = 150

/** Runs `work` in a duration that doesn't reveal whether there was anything to do. */
export async function withMinimumDuration(work: () => Promise<void>): Promise<void> {
  await Promise.all([work(), Bun.sleep(minDurationMs)])
}
