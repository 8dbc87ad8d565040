import { z } from 'zod'
import { checkBy, works } from '../account-check.ts'
import type { AccountCheck, NetworkCall } from '../network.ts'
import { accessOf, pdsOf } from './session.ts'
import { callXrpc, readCallRefusal } from './xrpc.ts'

/** Servers of before accounts could be deactivated don’t have `active`. */
const Session = z.object({ active: z.boolean().default(true) })

const inactive = {
  code: 'action_blocked',
  message: 'The account is deactivated or suspended on Bluesky. Activate it there.',
}

/** Atproto: `com.atproto.server.getSession`. */
export function checkAccount({ account, outside, signal }: NetworkCall): Promise<AccountCheck> {
  const access = accessOf(account.tokens)
  return checkBy({
    ask: () =>
      callXrpc(outside, pdsOf(account.metadata), 'com.atproto.server.getSession', { params: {}, ...access, signal }),
    interpretRefusal: readCallRefusal,
    data: Session,
    read: ({ active }) => (active ? works : { kind: 'checked', problem: inactive }),
  })
}
