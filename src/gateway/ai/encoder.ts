import type { TokenUsage } from '../models/price.ts'

interface StreamTotal {
  usage: TokenUsage
  costNanoUsd: bigint
}

/** Writes a stream in the wire format of the caller. Empty text sends nothing. */
export interface Encoder<Item> {
  encode(item: Item): string
  /** The budget ended before the response: says so as the format does. */
  cut(): string
  /** With the cost, in the last usage where the format has one, else in a comment. */
  end(total: StreamTotal): string
  fail(message: string): string
}

export const dataFrame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

export const eventFrame = (event: string, data: unknown): string => `event: ${event}\n${dataFrame(data)}`

/** Clients ignore comments. */
export const costComment = (costNanoUsd: bigint): string => `: x-atrium-cost-nano-usd ${costNanoUsd}\n\n`

/** For responses that are never streamed. */
export const noFrames: Encoder<never> = { encode: () => '', cut: () => '', end: () => '', fail: () => '' }
