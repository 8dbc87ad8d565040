import { operation } from '#lib/operation.ts'
import { CountTokensRequest, MessagesRequest } from '../providers/anthropic/types.ts'
import { countTokens } from './count-tokens.ts'
import { createMessageReply } from './messages.ts'
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
  summary: 'Get the number of tokens of a message',
  input: CountTokensRequest,
  run: async (call) => countTokens(call, call.input),
})
