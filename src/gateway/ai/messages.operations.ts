import { operation } from '#lib/operation.ts'
import { CountTokensRequest, MessagesRequest } from '../providers/anthropic/types.ts'
import { createMessageReply, sizeOfMessages } from './messages.ts'
import { alsoV1, messagesRoute, streams } from './route.ts'

export const createMessage = operation({
  ...messagesRoute,
  ...streams,
  ...alsoV1('messages'),
  summary: 'Create a message',
  input: MessagesRequest,
  run: async (call) => createMessageReply(call, call.input),
})

export const countMessageTokens = operation({
  ...messagesRoute,
  ...alsoV1('messages/count_tokens'),
  summary: 'Get the estimated tokens of a message',
  input: CountTokensRequest,
  run: async ({ input }) => ({ input_tokens: Math.ceil((sizeOfMessages(input).tokens ?? 0) / 4) }),
})
