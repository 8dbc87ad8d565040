import { z } from 'zod'
import type { Metadata } from './network.ts'

const AppMode = z.enum(['live', 'test'])
export type AppMode = z.output<typeof AppMode>

/** The app that an account was connected with: for rate limits, and for callbacks that it signs. */
export const ConnectedApp = z.object({
  clientId: z.string(),
  organizationId: z.string(),
  /** Whether it is the platform’s, which organizations share. */
  shared: z.boolean().default(false),
  /** `test`: of the network’s sandbox, which shows nothing to the public. */
  mode: AppMode.default('live'),
})
export type ConnectedApp = z.output<typeof ConnectedApp>

const WithApp = z.object({ app: ConnectedApp })

/** Of a connected account: `live` without an app. */
export const modeOf = (metadata: Metadata): AppMode => WithApp.safeParse(metadata).data?.app.mode ?? 'live'

/**
 * Null for accounts without one, and those that were connected before it was stored. An organization can store any client
 * ID, so that only the platform’s app is the same for several organizations.
 */
export function appOf(metadata: Metadata): string | null {
  const { app } = WithApp.safeParse(metadata).data ?? {}
  if (!app) return null
  return app.shared ? app.clientId : `${app.organizationId} ${app.clientId}`
}
