import { operation } from '#lib/operation.ts'
import { ChatRequest } from '../providers/openai/chat-types.ts'
import { chat } from './chat.ts'
import { isPlainChat } from './plain-chat.ts'
import { aiRoute, alsoV1, streams } from './route.ts'

export const createChatCompletion = operation({
  ...aiRoute,
  ...streams,
  ...alsoV1('chat/completions'),
  summary: 'Create a chat completion',
  input: ChatRequest,
  isPlain: isPlainChat,
  run: async (call) => chat(call, call.input),
})
