import { networkOf } from '../networks/index.ts'
import type { connections } from '../schema.ts'

type Row = typeof connections.$inferSelect

export const canRevoke = (provider: Row['provider']): boolean => networkOf(provider)?.revoke !== undefined

/** Whether only connecting the account again restores it: its network ends the access of a deactivated one, if it can. */
export const needsSignIn = ({ active, health, provider }: Pick<Row, 'active' | 'health' | 'provider'>): boolean =>
  provider !== 'sandbox' && (health !== 'ok' || (!active && canRevoke(provider)))
