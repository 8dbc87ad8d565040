import { z } from 'zod'
import type { Metadata } from './network.ts'

/** The app that an account was connected with: for rate limits, and for callbacks that it signs. */
export const ConnectedApp = z.object({
  clientId: z.string(),
  organizationId: z.string(),
  /** Whether it is the platform’s, which organizations share. */
  shared: z.boolean().default(false),
})
export type ConnectedApp = z.output<typeof ConnectedApp>

const WithApp = z.object({ app: ConnectedApp })

/**
 * Null for accounts without one, and those that were connected before it was stored. An organization can store any client
 * ID, so that only the platform’s app is the same for several organizations.
 */
export function appOf(metadata: Metadata): string | null {
  const { app } = WithApp.safeParse(metadata).data ?? {}
  if (!app) return null
  return app.shared ? app.clientId : `${app.organizationId} ${app.clientId}`
}
