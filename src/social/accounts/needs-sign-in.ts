import type { connections } from '../schema.ts'

/** Whether only connecting the account again restores it. */
export const needsSignIn = ({
  health,
  provider,
}: Pick<typeof connections.$inferSelect, 'health' | 'provider'>): boolean => health !== 'ok' && provider !== 'sandbox'
