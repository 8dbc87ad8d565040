import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { LedgerPage } from '#views/payments/ledger/page.tsx'
import { LedgerAccount, LedgerFilter, LedgerKind } from '../contract/ledger.ts'
import { listLedgerBalances, listLedgerTransactions } from './ledger.operations.tsx'

const firstRows = 20
const maxBalances = 100

export const ledgerPage = page({
  path: '/pay/transactions',
  permission: 'transactions:read',
  query: z.object({
    account: ignoreInvalid(LedgerAccount),
    kind: ignoreInvalid(LedgerKind),
    currency: ignoreInvalid(LedgerFilter.shape.currency),
    merchantId: ignoreInvalid(Id),
    orderId: ignoreInvalid(Id),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    timeZone: ignoreInvalid(TimeZone),
    q: ignoreInvalid(plainText(200).trim().min(1)),
    limit: Limit.catch(firstRows),
    cursor: Cursor,
  }),
  screen: 'payments ledger',
  icon: 'arrow-left-right',
  title: 'Transactions',
  keywords: 'ledger balances entries accounting verify chain proof correction',
  load: async ({ ask, input, actor }) => {
    const [list, balances] = await Promise.all([
      ask(listLedgerTransactions, input),
      ask(listLedgerBalances, { per: 'merchant', limit: maxBalances }),
    ])
    return { list, balances, query: input, organizationId: actor.organization?.id }
  },
  view: (props) => <LedgerPage {...props} />,
})
