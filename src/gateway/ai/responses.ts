import type { Reply, Stream } from '#lib/reply.ts'
import type { Adapter, Answer } from '../providers/adapter.ts'
import { mapAdapter } from '../providers/map-adapter.ts'
import { ChatCompletion, type ChatChunk } from '../providers/openai/chat-types.ts'
import { chatOfResponse } from '../providers/openai/from-response.ts'
import { callItem, responseObject, textItem } from '../providers/openai/response-object.ts'
import { responseEvents } from '../providers/openai/response-stream.ts'
import { ResponseRequest, type ResponseEvent } from '../providers/openai/response-types.ts'
import { inquireChat, withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { exchange } from './exchange.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'
import { responsesEncoder } from './wire/responses.ts'

export async function respond(call: AiCall, given: ResponseRequest): Promise<Reply<Record<string, unknown>> | Stream> {
  const request = withoutQuery(call, given, ResponseRequest.shape)
  requireStateless(request)
  const chat = inquireChat(chatOfResponse(request))
  const inquiry: Inquiry<ResponseEvent> = {
    ...chat,
    metadata: request.metadata ?? {},
    adapt: (candidate) => toResponse(request, chat.adapt(candidate)),
  }
  return (await dryRunReply(call, inquiry)) ?? deliver(await exchange(call, inquiry), responsesEncoder())
}

/** @throws {Problem} 400: the gateway stores no responses, and providers other than OpenAI couldn’t continue them */
function requireStateless(request: ResponseRequest): void {
  for (const name of ['store', 'background'])
    if (request[name] === true)
      throw unsupportedParameter(name, 'responses are not stored. Leave it out, or send false.')
  for (const name of ['previous_response_id', 'conversation', 'prompt'])
    if (request[name] !== undefined && request[name] !== null)
      throw unsupportedParameter(name, 'responses are not stored. Send the whole conversation as input.')
}

const toResponse = (request: ResponseRequest, adapter: Adapter<ChatChunk>): Adapter<ResponseEvent> =>
  mapAdapter(adapter, {
    answer: (answer) => responseAnswer(request, answer),
    parts: (parts) => responseEvents(request, parts),
  })

function responseAnswer(request: ResponseRequest, { body, usage, outputBytes }: Answer): Answer {
  const { id, model = request.model, created = 0, choices } = ChatCompletion.parse(body)
  const [choice] = choices
  const text = choice?.message.content ?? ''
  const calls = (choice?.message.tool_calls ?? []).map(({ id: callId = '', function: called }, at) =>
    callItem(`fc_${id}_${at}`, { callId, name: called?.name ?? '', arguments: called?.arguments ?? '' }),
  )
  const response = responseObject(request, {
    id: `resp_${id}`,
    createdAt: created,
    model,
    status: choice?.finish_reason === 'length' ? 'incomplete' : 'completed',
    output: [...(text === '' ? [] : [textItem(`msg_${id}`, text)]), ...calls],
    usage,
  })
  return { body: response, usage, outputBytes }
}
