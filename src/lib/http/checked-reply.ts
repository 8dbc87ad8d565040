import type { ReplyOptions } from '../reply.ts'

export interface CheckedReply {
  status: number
  result: unknown
  options: ReplyOptions
}
