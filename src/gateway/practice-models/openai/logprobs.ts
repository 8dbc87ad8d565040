import { splitIntoPieces } from '../generate/tokens.ts'

export interface TokenLogprob {
  token: string
  logprob: number
  bytes: number[]
}

const certain = -0.01

const withBytes = (token: string): TokenLogprob => ({ token, logprob: certain, bytes: [...Buffer.from(token)] })

export const logprobsOf = (text: string, top: number): (TokenLogprob & { top_logprobs: TokenLogprob[] })[] =>
  splitIntoPieces(text).map((token) => ({
    ...withBytes(token),
    top_logprobs: top > 0 ? [withBytes(token)] : [],
  }))
