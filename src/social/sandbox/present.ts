import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'

/** The sandbox network is absent outside development and test (SOC-08). Throws 404 there. */
export function present({ config }: Pick<Call, 'config'>): void {
  if (!config.offlineHelps) throw notFound()
}
