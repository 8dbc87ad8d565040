import { logFault } from '#lib/log/fault.ts'
import type { TokenUsage } from '../models/price.ts'
import type { Exchange } from './types.ts'
import { chargeOf, usageRow, type Charge } from './usage-rows.ts'

interface Metered {
  usage: TokenUsage | null
  outputBytes: number
  isCut?: boolean
  errorCode?: string | null
}

/**
 * Stores what it cost and releases the rest of the hold, which counts as spent until then: the caller doesn’t wait. A
 * failure is left to the hold’s recovery.
 */
export function settle(exchange: Exchange<unknown>, metered: Metered): Charge {
  const { call, hold, billed, timings } = exchange
  const charge = chargeOf(exchange, metered)
  call.budgets.settle(hold, [...billed, usageRow(exchange, charge, metered)]).catch((error: unknown) => {
    logFault(call.log, 'usage of a model call', error, { request: call.request.id })
  })
  timings.end('settle')
  return charge
}

/** For people and JSON only: amounts are counted in nano-USD. */
export const dollarsOf = (nanoUsd: bigint): number => Number(nanoUsd) / 1e9
