import { z } from 'zod'

const max = BigInt(Number.MAX_SAFE_INTEGER)

const bounded = (units: bigint): bigint => (units > max ? max : units < -max ? -max : units)

/** A sum in nano-USD, as an integer. More than $9,007,199 is that amount: reported costs can add up to anything. */
export const NanoUsd = z.codec(z.bigint(), z.int(), {
  decode: (units) => Number(bounded(units)),
  encode: (number) => BigInt(number),
})
