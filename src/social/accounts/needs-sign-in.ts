import type { connections } from '../schema.ts'
import { canRevoke } from './tokens/revoke.ts'

/** Whether only connecting the account again restores it: its network ends the access of a deactivated one, if it can. */
export const needsSignIn = ({
  active,
  health,
  provider,
}: Pick<typeof connections.$inferSelect, 'active' | 'health' | 'provider'>): boolean =>
  provider !== 'sandbox' && (health !== 'ok' || (!active && canRevoke(provider)))
