import type { ReplyOptions } from '../reply.ts'

/** A result that was checked against the output contract. */
export interface CheckedReply {
  status: number
  result: unknown
  options: ReplyOptions
}
